import { randomUUID } from 'node:crypto';
import { orderCall } from '../api/call.ts';
import { orCancelled } from '../cli/define/context.ts';
import { defineCommand, type Result, withView } from '../cli/define/define.ts';
import { toJsonText } from '../json/values.ts';
import { canAsk } from '../orders/confirm.ts';
import { type OrderRequest, requireToken } from '../orders/description.ts';
import { placeOrder } from '../orders/place.ts';
import { chooseToResume } from '../orders/resolve.ts';
import { completeForm, explainNetwork, requireItems } from './buy/ask.ts';
import { buildBody, readOrderItems } from './buy/body.ts';
import { BUY_OPTIONS, checkResumedAlone } from './buy/options.ts';
import { showOrder } from './buy/show-order.ts';
import { previewRequest } from './shared/dry-run.ts';
import { createBuyerLookup } from './shared/membership.ts';

export default defineCommand({
  summary: 'Order plans, domains and renewals, and start the payment',
  effect: 'spends',
  options: BUY_OPTIONS,
  tool: {
    title: 'Place an order',
    description:
      'Orders plans, domains and renewals, and starts the payment. Show the request to the person with dryRun first. orders_list shows what is in doubt; never place that anew unasked. About 100 tokens.',
    arguments: {
      plan: 'id of the plan to order',
      domain: 'domain to order',
      label: 'name for what is ordered',
      quantity: { type: 'integer', description: 'how many' },
      renew: 'renew an existing plan or domain',
      item: 'several items, each as key=value,key=value of plan, domain, label, quantity, renew',
      payment: 'how to pay; credit_card is for free orders only',
      network: 'mobile money network, such as mtn or orange',
      phone: 'phone number to charge, with its country code',
      currency: 'currency to pay in',
      autopay: 'save the number, and pay renewals from it',
      idempotencyKey: 'key of the order; default: a new one',
      dryRun: 'only show the request',
    },
  },
  examples: [
    [
      'svc buy --plan plan_wp_pro --network mtn --phone +237670000042',
      'a plan, paid by mobile money',
    ],
    [
      'svc buy --item plan=plan_wp_pro --item domain=example.com --dry-run',
      'two items; see the request first',
    ],
  ],
  exitCodes: [
    [2, 'also: it was placed within a day, or one is in doubt: --resume, --new-order'],
    [8, 'the order may have been placed: finish it with the printed command'],
    [9, 'the API answered that the order failed or was declined'],
  ],

  async run(context, options): Promise<Result<never>> {
    const { settings } = context;
    const hasDashboard = settings.dashboard() !== undefined;
    const place = async (request: OrderRequest) => {
      const result = await placeOrder(request, context).catch(explainNetwork(options, context));
      return withView(result, (screen, placed) => showOrder(screen, placed, hasDashboard));
    };
    const { resume, idempotencyKey: key, newOrder, browser } = options;
    if (resume) {
      checkResumedAlone(options);
      const resumed = await chooseToResume(resume, context);
      const { body = '{}', org } = resumed;
      return place({ body, org, resumed, lookUpBuyer: createBuyerLookup(org, context), browser });
    }

    const items = await readOrderItems(context, options);
    const form = { items, options };
    // Refuses wrong options before anything is asked.
    const body = buildBody(form, context);
    const isAsked = context.io.interactive;
    if (!isAsked) requireItems(items, context);
    const complete = async () => {
      if (!isAsked) return body;
      const ask = () => completeForm(form, body, context);
      return buildBody(await orCancelled('Nothing was ordered.', ask), context);
    };

    if (options.dryRun) {
      const call = orderCall(await complete(), key ?? randomUUID());
      return previewRequest(await context.api.client(), call);
    }

    requireToken(settings);
    const org = settings.org()?.value;
    const lookUpBuyer = createBuyerLookup(org, context);
    // Asks the platform who buys while the person answers the questions.
    if (canAsk(context)) void lookUpBuyer();
    const text = toJsonText(await complete());
    return place({ body: text, org, key, newOrder, lookUpBuyer, browser });
  },
});
