import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { chatBinding } from '../../outbox/chats/deliver-chat.ts';
import {
  type Chat,
  deleteChat,
  insertChat,
  mostChats,
  selectChats,
  testChat,
} from '../../outbox/chats/queries.ts';
import { type ChatTarget, placeholders, templateProblem } from '../../outbox/chats/send-chat.ts';
import { parseEndpoint } from '../../outbox/post.ts';
import { topics } from '../../outbox/topics.ts';
import { sayReason } from '../../texts/say.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { fold, moreMenu } from '../frame/choosing.ts';
import { dangerButton, postButton, postForm, typedFields, whenFresh } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { rowList, state } from '../frame/rows.ts';

const home = '/dashboard/notices/chats';
const page = '/dashboard/shop/notifications#chats';
const longestTemplate = 4000;
const usualTemplate = '{"text": "{text}"}';
const testUsefulFor = 10 * minute;

type Again = (world: World, visit: Visit, fault: ChatFault) => Promise<Answer>;

export function chatsRoutes(again: Again) {
  return [
    // Requires a recent confirmation: everybody in the chat sees the business's income from now on.
    post(home, fresh('business.change'), (world, visit) => add(world, visit, again)),
    post(`${home}/:chat_id/test`, fresh('business.change'), change('chat.test', test)),
    post(`${home}/:chat_id/remove`, 'business.change', change('chat.remove', deleteChat)),
  ];
}

export type ChatFault = { at: 'token' | 'chat' | 'url' | 'template' | 'all'; text: string };

export async function chatsSection(world: World, visit: Visit, fault: ChatFault | null): Promise<Html> {
  const { texts, merchantId } = visit;
  const words = texts.chats;
  const rows = await selectChats(world.sql, merchantId);
  const addOne = () =>
    html`<div class="stack"><p><a href="/docs/app#notices-in-chats">${words.help}</a></p>${whenFresh(visit, () => addForm(visit, fault))}</div>`;
  return html`<section id="chats"><h2>${words.title}</h2><p class="small quiet">${words.text}</p>
${fault?.at === 'all' && note(html`<p role="alert">${fault.text}</p>`, 'bad')}
<div class="wrapped">${chatList(visit, rows)}</div>
${visit.may('business.change') && (fault ? addOne() : fold(words.add, addOne()))}</section>`;
}

function chatList(visit: Visit, rows: readonly Chat[]): Html {
  const { chats, pushes, tag, labels, shell } = visit.texts;
  return rowList(
    rows.map(row => ({
      who: html`<bdi>${row.place}</bdi>`,
      what: row.off_reason
        ? state(chats.off({ reason: sayReason(tag, row.off_reason) }), 'bad')
        : row.topics.map(topic => (topics.includes(topic) ? pushes.topics[topic] : topic)).join(', '),
      ...(visit.may('business.change') && {
        state: moreMenu(`${shell.more}: ${row.place}`, [
          postButton(`${home}/${row.chat_id}/test`, chats.test),
          dangerButton(`${home}/${row.chat_id}/remove`, labels.remove),
        ]),
      }),
    })),
  );
}

function addForm({ texts, form }: Visit, fault: ChatFault | null): Html {
  const words = texts.chats;
  const error = (at: ChatFault['at']) => (fault?.at === at ? fault.text : undefined);
  const input = typedFields<'token' | 'chat' | 'url'>(form, error, { autocomplete: 'off' });
  const problem = error('template');
  const wanted: readonly string[] = fault ? form.all('topic') : topics;
  const fields = html`<fieldset class="stack"><legend>${words.telegram}</legend>
${input('token', words.token, { type: 'password', value: '' })}${input('chat', words.chat, { hint: words.chatHint })}</fieldset>
<fieldset class="stack"><legend>${words.other}</legend>
${input('url', texts.labels.address, { type: 'url' })}<div class="field"><label for="template">${words.template}</label>
<p class="hint" id="template-hint">${words.templateHint({ known: `{${placeholders.join('} {')}}` })}</p>
${problem !== undefined && html`<p class="error" id="template-error">${problem}</p>`}
<textarea id="template" name="template" rows="3" spellcheck="false" maxlength="${longestTemplate}" aria-describedby="template-hint${problem !== undefined && ' template-error'}">${form.text('template') || usualTemplate}</textarea></div></fieldset>
<fieldset class="field"><legend>${words.topics}</legend>
${topics.map(topic => html`<div class="choice"><input type="checkbox" id="topic-${topic}" name="topic" value="${topic}"${wanted.includes(topic) && html` checked`}><label for="topic-${topic}">${texts.pushes.topics[topic]}</label></div>`)}</fieldset>`;
  return postForm(home, words.add, fields);
}

async function add(world: World, visit: Visit, again: Again): Promise<Answer> {
  const { texts, merchantId: merchant_id, form, now } = visit;
  const words = texts.chats;
  const asked = readTarget(world, visit);
  if ('at' in asked) return await again(world, visit, asked);
  const { place, target } = asked;
  const wanted = topics.filter(topic => form.all('topic').includes(topic));
  if (wanted.length === 0) return await again(world, visit, { at: 'all', text: words.noTopic });
  const added = await makeChange(world, visit, async tx => {
    const chat_id = randomId('chat');
    const sealed = world.secrets.seal(JSON.stringify(target), chatBinding(merchant_id, chat_id));
    const chat = { merchant_id, chat_id, place, sealed, topics: wanted, language: texts.tag };
    if ((await insertChat(tx, chat, now, later(now, testUsefulFor))) === null) return null;
    return { action: 'chat.add', subject: place, notice: because('chat_added', { place }) };
  });
  if (!added) return await again(world, visit, { at: 'all', text: words.tooMany({ most: mostChats }) });
  return redirect(page, words.testing);
}

/** Reads the target, or says what is wrong with it. A Telegram chat becomes an address with our own template. */
function readTarget(
  { config }: World,
  { form, texts }: Visit,
): { place: string; target: ChatTarget } | ChatFault {
  const fault = (at: ChatFault['at'], why: Reason) => ({ at, text: sayReason(texts.tag, why) });
  const [token, chat] = [form.text('token'), form.text('chat')];
  const [url, template] = [form.text('url'), form.text('template')];
  if (token !== '' || chat !== '') {
    if (!/^\d{3,20}:[\w-]{20,80}$/.test(token)) return fault('token', because('not_a_token'));
    if (!/^(?:-?\d{1,20}|@\w{4,40})$/.test(chat)) return fault('chat', because('not_a_chat'));
    const message = { chat_id: chat, text: '{text}', link_preview_options: { is_disabled: true } };
    const target = {
      url: `https://api.telegram.org/bot${token}/sendMessage`,
      template: JSON.stringify(message),
    };
    return { place: `Telegram ${chat}`, target };
  }
  const place = parseEndpoint(url, config)?.host.name;
  if (place === undefined) return fault('url', because('not_a_chat_address'));
  const why = templateProblem(template.slice(0, longestTemplate));
  return why ? fault('template', why) : { place, target: { url, template } };
}

const test: Make = (tx, key, now) => testChat(tx, key, now, later(now, testUsefulFor));

type Make = (tx: Transaction, key: Parameters<typeof deleteChat>[1], now: Date) => Promise<string | null>;

/** `make` returns the place of the chat, or null if there is no such chat. */
function change(action: 'chat.test' | 'chat.remove', make: Make) {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const { merchantId: merchant_id, params, texts, now } = visit;
    const changed = await makeChange(world, visit, async tx => {
      const place = await make(tx, { merchant_id, chat_id: params['chat_id'] ?? '' }, now);
      return place === null ? null : { action, subject: place };
    });
    const said = action === 'chat.test' ? texts.chats.testing : texts.labels.removed;
    return changed ? redirect(page, said) : notFound();
  };
}
