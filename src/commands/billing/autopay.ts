import { getAutopay } from '../../api/call.ts';
import { defineCommand, readAnswer } from '../../cli/define/define.ts';
import { AUTOPAY } from '../../contract/fields/operations.ts';
import { asText, asYesOrNo, createFieldReaders, unreadFields } from '../../json/values.ts';
import { lookUpMembership, toKnownOrganizations } from '../shared/membership.ts';

export default defineCommand({
  summary: 'Show whether renewals are paid automatically, and how',
  effect: 'reads',
  tool: {
    title: 'How renewals are paid',
    description: 'Whether renewals are paid automatically, and from which number. About 30 tokens.',
  },
  examples: [
    ['svc billing autopay', 'who pays the renewals'],
    ['svc billing autopay --json', 'the same as JSON, for scripts'],
    ['svc billing autopay --all-orgs', 'the same for each of your organizations'],
  ],

  async run({ api }) {
    return readAnswer(await getAutopay(await api.client()), (autopay) => autopay);
  },

  human(screen, autopay) {
    const { phoneMasked, provider, currency } = autopay;
    const enabled = asYesOrNo(autopay.enabled);
    if (enabled === true) screen.success('Renewals are paid automatically.');
    else if (enabled === false) screen.line('Renewals are not paid automatically.');
    else screen.line('The platform did not say whether renewals are paid automatically.');
    screen.fields([
      ['Phone', asText(phoneMasked)],
      ['Provider', asText(provider)],
      ['Currency', asText(currency)],
    ]);
    screen.unknownFields(unreadFields(autopay, createFieldReaders(AUTOPAY)));
    if (enabled === false) {
      screen.next([['svc buy --plan <id> --autopay', 'saves a number with the next order']]);
    }
  },

  batch: {
    of: 'org',
    async all(context) {
      const { organizations } = await lookUpMembership(context);
      return (toKnownOrganizations(organizations).organizations ?? []).map(({ name }) => name);
    },
    row: {
      head: ['Paid automatically', 'Provider', 'Phone', 'Currency'],
      cells(answer) {
        const { enabled, provider, phoneMasked, currency } = answer;
        const isPaid = asYesOrNo(enabled);
        const paid = isPaid ? 'yes' : 'no';
        return [
          isPaid === undefined ? 'not known' : paid,
          ...[provider, phoneMasked, currency].map(asText),
        ];
      },
    },
  },
});
