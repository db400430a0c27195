import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { pushKeys } from '../../outbox/pushes/subscription.ts';
import { rolesFor } from '../../outbox/topics.ts';
import { postForm, selectField } from '../frame/controls.ts';
import { nextHour } from '../frame/indian-days.ts';
import { type Answer, get, lead, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { type DailySummary, deleteSummary, saveSummary, selectSummary } from '../reports/daily-mails.ts';
import { devicesRoutes, devicesSection } from './devices.ts';
import { type NoticeChoice, saveChoices, selectChoices } from './queries.ts';

const notificationsPath = '/dashboard/shop/notifications';
const choicesPath = '/dashboard/notices/choices';

/** Everybody chooses for themselves. A cashier may too, although they see no other notices. */
export const notificationsRoutes = [
  get(notificationsPath, 'self', notificationsPage),
  lead(choicesPath, notificationsPath, 'self'),
  lead('/dashboard/notices/devices', notificationsPath, 'self'),
  lead('/dashboard/notices/chats', notificationsPath),
  post(choicesPath, 'self', saveAll),
  ...devicesRoutes,
];

async function notificationsPage(world: World, visit: Visit): Promise<Answer> {
  const { texts, user, may } = visit;
  if (user.role === 'operator') return notFound();
  const words = texts.pushes;
  const [choices, summary, devices] = await Promise.all([
    ownChoices(world, visit),
    selectSummary(world.sql, user),
    devicesSection(world, visit),
  ]);
  const mails = mayBeMailed(world, visit);
  const fields = html`${choiceTable(visit, choices, ways(world, visit))}
${may('business.read') && html`<p class="small quiet">${canMail(world.config) ? words.always : words.noMail}</p>`}
${mails && summaryFields(visit, summary)}`;
  const isAnything = mails || pushKeys(world.config) !== null;
  return shopScreen(visit, 'notifications', { text: words.text })`
<div class="stack groups">${isAnything && html`<section>${postForm(choicesPath, texts.shell.save, fields)}</section>`}
${devices}</div>`;
}

async function saveAll(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, user, form, texts, now } = visit;
  if (user.role === 'operator') return notFound();
  const { mail, push } = ways(world, visit);
  const choices = (await ownChoices(world, visit)).map(choice => ({
    topic: choice.topic,
    by_mail: mail ? form.has(`${choice.topic}-mail`) : choice.by_mail,
    by_push: push ? form.has(`${choice.topic}-push`) : choice.by_push,
  }));
  const hour = /^(?:1?\d|2[0-3])$/.test(form.text('hour')) ? Number(form.text('hour')) : null;
  await world.sql.begin(async tx => {
    await saveChoices(tx, merchantId, user.userId, choices);
    if (!mayBeMailed(world, visit)) return;
    if (hour === null) return await deleteSummary(tx, user);
    await saveSummary(tx, {
      merchant_id: merchantId,
      user_id: user.userId,
      hour,
      even_empty: form.has('even_empty'),
      next_at: nextHour(now, hour),
    });
  });
  return redirect(notificationsPath, texts.labels.saved);
}

/** A cashier is never mailed: they see payments come in, and nothing else. */
function mayBeMailed({ config }: Pick<World, 'config'>, visit: Visit): boolean {
  return canMail(config) && visit.may('business.read');
}

type Ways = { mail: boolean; push: boolean };

function ways(world: World, visit: Visit): Ways {
  return { mail: mayBeMailed(world, visit), push: pushKeys(world.config) !== null };
}

async function ownChoices({ sql }: World, { user }: Visit): Promise<NoticeChoice[]> {
  const all = await selectChoices(sql, user);
  return all.filter(({ topic }) => rolesFor(topic).some(role => role === user.role));
}

function choiceTable({ texts }: Visit, choices: readonly NoticeChoice[], { mail, push }: Ways): Html {
  const words = texts.pushes;
  const box = (name: string, label: string, on: boolean) =>
    html`<input type="checkbox" name="${name}" aria-label="${label}"${on && html` checked`}>`;
  return html`<table class="choices">
<caption class="unseen">${words.topic}</caption>
<thead><tr><th scope="col">${words.topic}</th>${mail && html`<th scope="col">${words.byMail}</th>`}${push && html`<th scope="col">${words.byPush}</th>`}</tr></thead>
<tbody>${choices.map(({ topic, by_mail, by_push }) => {
    const name = words.topics[topic];
    return html`<tr><th scope="row">${name}</th>
${mail && html`<td>${topic === 'payment' ? html`<span class="quiet">${words.inSummary}</span>` : box(`${topic}-mail`, `${name}: ${words.byMail}`, by_mail)}</td>`}
${push && html`<td>${box(`${topic}-push`, `${name}: ${words.byPush}`, by_push)}</td>`}</tr>`;
  })}</tbody>
</table>`;
}

function summaryFields({ texts }: Visit, summary: DailySummary | null): Html {
  const words = texts.pushes;
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    text: words.summaryAt({ hour: `${String(hour).padStart(2, '0')}:00` }),
  }));
  return html`${selectField('hour', words.summaryTitle, {
    hint: words.summaryText,
    value: summary === null ? '' : String(summary.hour),
    choices: [{ value: '', text: words.summaryOff }, ...hours],
  })}
<div class="choice"><input type="checkbox" id="even_empty" name="even_empty"${summary?.even_empty && html` checked`}><div><label for="even_empty">${words.summaryEmpty}</label></div></div>`;
}
