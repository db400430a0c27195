import { addAlertAddress, removeAlertAddress } from '../../alerts/addresses/add-alert-address.ts';
import { codeMailer } from '../../alerts/addresses/code-mailer.ts';
import { confirmAlertAddress } from '../../alerts/addresses/confirm-alert-address.ts';
import { type ExtraAddressRow, listExtraAddresses } from '../../alerts/addresses/queries/addresses.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { longestMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { mayGuess, strangerGuesses } from '../../business/accounts/guesses.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { fold } from '../frame/choosing.ts';
import { confirmPage, field, hidden, plainLink, postForm, whenConfirmed } from '../frame/controls.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, nextPath, notFound, redirect, type Visit } from '../frame/route.ts';
import { rowList, state } from '../frame/rows.ts';

const home = '/dashboard/mailbox';

export function extraCard(
  visit: Visit,
  addresses: readonly ExtraAddressRow[],
  fault: string | undefined,
): Html {
  const { texts } = visit;
  const words = texts.mailbox;
  const rows = addresses.map(one => ({
    face: { icon: 'mail', tone: 'still' } as const,
    who: html`<bdi>${one.address}</bdi>`,
    what: one.confirmed_at ? state(words.confirmed, 'good') : state(words.waiting, 'warn'),
    state:
      visit.may('mailbox.change') &&
      plainLink(`${home}/addresses/remove?address=${encodeURIComponent(one.address)}`, texts.labels.remove),
  }));
  const isWaiting = addresses.some(one => one.confirmed_at === null);
  const forms = () => html`${isWaiting && codeForm(visit, home)}${addForm(visit, fault, home)}`;
  const body = html`<div class="stack"><p class="small quiet">${words.extraText}</p>${rows.length > 0 && rowList(rows)}
${visit.may('mailbox.change') && whenConfirmed(visit, forms)}</div>`;
  const isQuiet = rows.length === 0 && fault === undefined;
  return html`<section class="stack" id="addresses">${isQuiet ? fold(words.extra, body) : html`<h2>${words.extra}</h2>${body}`}</section>`;
}

export function codeForm({ texts }: Visit, next: string): Html {
  const words = texts.mailbox;
  const code = field('code', words.code, {
    hint: words.codeHint,
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 12,
    required: true,
  });
  return postForm(`${home}/addresses/confirm`, words.confirmCode, [hidden({ next }), code]);
}

export function addForm({ texts, form }: Visit, fault: string | undefined, next: string): Html {
  const words = texts.mailbox;
  const address = field('extra', words.extraLabel, {
    type: 'email',
    value: form.text('extra'),
    maxlength: longestMailAddress,
    required: true,
    error: fault,
  });
  return postForm(`${home}/addresses`, words.extraSubmit, [hidden({ next }), address]);
}

export async function addAddress(
  world: World,
  visit: Visit,
): Promise<{ fault: string } | { answer: Answer }> {
  const words = visit.texts.mailbox;
  const address = visit.form.text('extra');
  // The address's own row counts its codes, but somebody could delete the row to start from zero.
  if (!(await mayGuess(world, strangerGuesses('code', address, visit.merchantId))))
    return { fault: visit.texts.account.tooManyTries };
  const added = await addAlertAddress(world, visit.merchantId, address, codeMailer(world.config), {
    language: visit.texts.tag,
    record: (tx, subject) =>
      recordChange(tx, visit, {
        action: 'alert_address.add',
        subject,
        notice: because('address_added', { address: subject }),
      }),
  });
  if (added.outcome === 'refused') return { fault: sayReason(visit.texts.tag, added.reason) };
  const next = nextPath(visit.form, home);
  if (added.outcome === 'already_confirmed')
    return { answer: redirect(next, words.alreadyConfirmed({ address })) };
  return { answer: redirect(next, words.codeSent({ address })) };
}

export async function confirmAddress(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const confirm = (tx: Transaction) =>
    confirmAlertAddress(tx, world, visit.merchantId, visit.form.text('code'));
  const result = await makeChange(world, visit, confirm, confirmed => {
    if (confirmed.outcome !== 'confirmed') return null;
    const { address } = confirmed;
    const notice = because('address_confirmed', { address });
    return { action: 'alert_address.confirm', subject: address, notice };
  });
  const says = {
    confirmed: 'address' in result ? words.codeConfirmed(result) : '',
    wrong_code: words.wrongCode,
    taken: words.taken,
  };
  return redirect(nextPath(visit.form, home), says[result.outcome]);
}

export async function askRemoval(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const address = visit.query.text('address');
  const known = await listExtraAddresses(world.sql, visit.merchantId);
  if (!known.some(one => one.address === address)) return notFound();
  return confirmPage(visit, {
    title: words.removeTitle({ address }),
    consequences: words.removeConsequences,
    submit: visit.texts.labels.remove,
    fields: [hidden({ address })],
    back: home,
  });
}

export async function removeAddress(world: World, visit: Visit): Promise<Answer> {
  const address = visit.form.text('address');
  const removed = await makeChange(world, visit, async tx => {
    if (!(await removeAlertAddress(tx, visit.merchantId, address))) return null;
    const notice = because('address_removed', { address });
    return { action: 'alert_address.remove', subject: address, notice };
  });
  return removed ? redirect(home, visit.texts.mailbox.removed({ address })) : notFound();
}
