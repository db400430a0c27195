import { type Paise, rupees } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { type Worded, wordPush } from '../pushes/word-push.ts';
import type { ChatWords } from './fill-template.ts';

/** What a chat is told: as devices are, by the heading alone, in which no name of a payer stands. */
export function wordChat(
  { baseUrl, clock }: Pick<World, 'baseUrl' | 'clock'>,
  news: Omit<Worded, 'role'>,
): ChatWords {
  const { title, body: business, url } = wordPush({ ...news, role: 'owner' });
  const { order_id: order, amount_paise: amount, topic } = news;
  const link = `${baseUrl}${url}`;
  return {
    text: [title, order === null ? business : `${order} · ${business}`, link].join('\n'),
    amount: amount === null ? '' : rupees(amount as Paise).toFixed(2),
    order: order ?? '',
    topic: topic ?? 'test',
    business,
    link,
    time: clock.now().toISOString(),
  };
}
