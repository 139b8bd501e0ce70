import type { Context } from '../../cli/define/context.ts';
import type { OrderContext } from '../../orders/place.ts';
import { createResolveCommands } from '../../orders/resolve.ts';

/** Gives the parts of a command to the way of an order. */
export function toOrderContext(context: Context): OrderContext {
  return {
    facts: context,
    platform: context,
    person: context,
    journal: context,
    getCommands: createResolveCommands(context),
  };
}
