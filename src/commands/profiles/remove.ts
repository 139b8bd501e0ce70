import { defineCommand } from '../../kit/define.ts';
import { required } from '../../kit/parameters.ts';
import { document } from '../../kit/result.ts';
import { unknownProfile } from '../../sign-in/records.ts';
import { forgotten, showForgotten } from '../shared/forgotten.ts';

export default defineCommand({
  path: 'profiles remove',
  summary: 'Forget a stored sign-in; its token stays valid',
  effect: 'local',
  forgets: true,
  args: { name: required('name of the profile', { offer: 'profiles' }) },
  options: {},
  examples: [
    ['svc profiles remove work', 'forget this sign-in on this machine'],
    ['svc logout --all', 'forget all of them'],
  ],

  async run(context, { name }) {
    const store = await context.vault.store();
    const records = await store.remove((record) => record.profile === name);
    if (records.length === 0) throw unknownProfile(name, context.vault.signIns());
    return document('profiles remove', { removed: records.map(forgotten) });
  },

  human(screen, { removed }) {
    showForgotten(screen, removed);
  },
});
