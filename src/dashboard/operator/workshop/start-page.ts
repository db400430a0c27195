import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { bankNames } from '../../../alerts/banks/bank-names.ts';
import { mostMailBytes } from '../../../alerts/mail/limits.ts';
import { parseAddresses } from '../../../alerts/mail/parse-addresses.ts';
import { headerValue, splitHeaders } from '../../../alerts/mail/split-headers.ts';
import { type HeldMail, selectHeld } from '../../../alerts/workshop/queries.ts';
import { html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import { sayReason } from '../../../texts/say.ts';
import { button, postButton } from '../../frame/controls.ts';
import { card, emptyState, moment, note, screen, table, titledCard } from '../../frame/parts.ts';
import type { Answer, Visit } from '../../frame/route.ts';
import { workshopHome } from './marking-form.ts';

/** The newest of each bank are like the older ones. */
const shownOfEach = 5;
const shownMails = 30;

/** A file to choose, and the mails that wait. `problem` is why the last one could not be put on the bench. */
export async function startPage(
  world: World,
  { texts }: Pick<Visit, 'texts'>,
  problem: string | null = null,
): Promise<Answer> {
  const words = texts.workshop;
  const ids = world.banks.current().map(({ id }) => id);
  const held = await selectHeld(world.sql, ids, { ofEach: shownOfEach, most: shownMails });
  const rows = await Promise.all(held.map(async mail => ({ ...mail, sender: await senderOf(mail) })));
  const nameOf = bankNames(world);
  const list = table(words.heldTitle, rows, [
    { title: texts.labels.bank, cell: row => nameOf(row.bank) },
    { title: words.sender, cell: row => html`<bdi>${row.sender}</bdi>` },
    { title: words.day, cell: row => moment(row.arrived_at) },
    { title: texts.labels.business, cell: row => html`<bdi>${row.business}</bdi>` },
    { title: words.why, cell: row => row.reason && sayReason(texts.tag, row.reason) },
    {
      title: texts.labels.open,
      quiet: true,
      cell: row =>
        postButton(`${workshopHome}/mail`, texts.labels.open, {
          values: { stored: `${row.merchant_id}.${row.alert_id}` },
        }),
    },
  ]);
  return screen(texts.shell.navigation.workshop, {
    text: words.text,
    ...(problem !== null && { status: 400 }),
  })`
${problem !== null && note(problem, 'bad')}
${card(
  rows.length === 0
    ? emptyState(words.noneTitle, words.noneText)
    : html`<p class="quiet">${words.heldText}</p>${list}`,
  { title: words.heldTitle },
)}
${titledCard({ title: words.uploadTitle })`<p class="quiet">${words.uploadText}</p>
<form method="post" action="${workshopHome}/mail" enctype="multipart/form-data" class="stack">
<div class="field"><label for="file">${words.file}</label>
<input id="file" name="file" type="file" accept=".eml,message/rfc822" required></div>
<div class="actions">${button(words.show)}</div></form>`}`;
}

async function senderOf({ raw }: HeldMail): Promise<string> {
  const mail = splitHeaders(await promisify(inflate)(raw, { maxOutputLength: mostMailBytes }));
  if (mail.outcome === 'refused') return '';
  return parseAddresses(headerValue(mail, 'from') ?? '')?.[0] ?? '';
}
