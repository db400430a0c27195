import { type Paise, rupees } from '../../base/money.ts';
import { textsIn } from '../../texts/languages.ts';
import { type Facts, sayNotice } from '../../texts/say.ts';
import { noticePath } from '../topics.ts';
import type { DuePush } from './queries.ts';

/** `tag` is the same for every try, so that a device shows a repeated push once. */
export type PushMessage = { title: string; body: string; url: string; tag: string };

/** The push must fit into one record of 4096 bytes, and a Hindi letter takes three bytes. */
const longestTitle = 300;
const longestBody = 200;

const screens = {
  money: '/dashboard/money',
  mailbox: '/dashboard/mailbox',
  webhooks: '/dashboard/webhooks',
};

type Worded = Pick<
  DuePush,
  'order_id' | 'amount_paise' | 'topic' | 'kind' | 'facts' | 'notice_id' | 'business' | 'role' | 'language'
>;

export function wordPush(push: Worded): PushMessage {
  const language = push.language ?? 'en';
  const words = textsIn(language).pushes;
  const say = (title: string, url: string, tag: string) => ({
    title: cut(title, longestTitle),
    body: cut(push.business, longestBody),
    url,
    tag,
  });
  if (push.order_id !== null) {
    const url = push.role === 'cashier' ? '/dashboard/counter' : `/dashboard/orders/${push.order_id}`;
    return say(words.received({ amount: shown(push.amount_paise as Paise) }), url, push.order_id);
  }
  const { topic, kind, facts, notice_id } = push;
  const question = askedOf(push);
  if (question) {
    const { amount, asked, order } = question;
    const title = words.asks({ amount: `₹${amount}`, asked: `₹${asked}` });
    return say(title, `/dashboard/counter/ask/${encodeURIComponent(order)}`, `notice-${notice_id}`);
  }
  if (kind === null || facts === null) return say(words.hello, '/dashboard/shop/notifications', 'hello');
  const screen = topic === null || topic === 'payment' ? '/dashboard/notices' : screens[topic];
  const url = noticePath({ kind, facts }) ?? screen;
  const title =
    sayNotice(language, { kind, facts })?.subject ??
    textsIn(language).notices.unknown({ kind: kind.slice(0, 100) });
  return say(title, url, `notice-${notice_id}`);
}

/** One order waits for a person who may decide: the push asks about it, and its page takes the answer. */
function askedOf({ kind, facts, role }: Worded): Record<'amount' | 'asked' | 'order', string> | null {
  if (kind !== 'order_waits' || (role !== 'owner' && role !== 'manager')) return null;
  const { count, amount, asked, order } = Object(facts) as Facts;
  const isOne = count === 1 && [amount, asked, order].every(fact => typeof fact === 'string');
  return isOne ? ({ amount, asked, order } as Record<'amount' | 'asked' | 'order', string>) : null;
}

function shown(amount: Paise): string {
  return `₹${rupees(amount).toLocaleString('en-IN', { minimumFractionDigits: 2 })}`;
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('');
}
