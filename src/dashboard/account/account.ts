import { type Html, html } from '../../base/http/html.ts';
import { passkeySite } from '../../business/accounts/passkey-site.ts';
import { countRecoveryCodes } from '../../business/accounts/queries/factors.ts';
import { listPasskeys, type PasskeyRow } from '../../business/accounts/queries/passkeys.ts';
import {
  deleteSession,
  deleteSessionsOf,
  type ListedSession,
  listSessions,
} from '../../business/accounts/queries/sessions.ts';
import { writeLanguage } from '../../business/accounts/queries/users.ts';
import { sessionLimits } from '../../business/accounts/session.ts';
import { chooseLanguage } from '../../texts/choose-language.ts';
import { languages, languageTags } from '../../texts/languages.ts';
import { dangerButton, dangerLink, plainLink, postForm, selectField } from '../frame/controls.ts';
import { badge, card, moment, screen, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { get, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { rowList, state } from '../frame/rows.ts';

export const accountRoutes = [
  get('/dashboard/account', 'self', async ({ sql, baseUrl }, visit) => {
    const { texts, user, now } = visit;
    const { account } = texts;
    const passkeys = await listPasskeys(sql, user);
    const codes = await countRecoveryCodes(sql, user);
    const sessions = await listSessions(sql, user, sessionLimits(now));
    return screen(texts.shell.yourAccount, {
      text: `${user.email} · ${texts.shell.roles[user.role]}`,
    })`<div class="stack one-column">
${card(languageForm(visit), { id: 'own-language' })}
${card(html`<p class="quiet">${account.passwordText}</p>`, { title: texts.labels.password, actions: plainLink('/dashboard/account/password', account.passwordChange) })}
${twoStepCard(visit, codes)}
${passkeyCard(visit, passkeys, passkeySite(baseUrl) !== null)}
${sessionCard(visit, sessions)}
${user.role !== 'operator' && card(html`<p class="quiet">${texts.pushes.text}</p>`, { title: texts.shop.pages.notifications, actions: plainLink('/dashboard/shop/notifications', texts.pushes.choose) })}
<section class="card" id="single-keys" data-keys hidden><label class="switch">${texts.shell.keys.single}<input type="checkbox" role="switch"></label><p class="quiet">${texts.shell.keys.singleHint}</p></section></div>`;
  }),
  post('/dashboard/account/language', 'self', async ({ sql }, { user, form, request }) => {
    const chosen = form.text('language');
    const language = languageTags.find(tag => tag === chosen) ?? null;
    await writeLanguage(sql, user, language);
    const texts = chooseLanguage(language, request.headers['accept-language']);
    return redirect(nextPath(form, '/dashboard/account'), texts.labels.saved);
  }),
  post('/dashboard/account/sessions/end-others', 'self', async (world, visit) => {
    const { merchantId, user, session, texts } = visit;
    const count = await makeChange(
      world,
      visit,
      tx => deleteSessionsOf(tx, merchantId, user.userId, { except: session.sessionId }),
      ended => ({ action: 'session.end_others', subject: user.email, details: String(ended) }),
    );
    return redirect('/dashboard/account', texts.account.sessionsEnded({ count }));
  }),
  post('/dashboard/account/sessions/:sessionId/end', 'self', async (world, visit) => {
    const { merchantId, user, params, texts } = visit;
    const sessionId = params['sessionId']!;
    const ended = await makeChange(world, visit, async tx => {
      const isEnded = await deleteSession(tx, merchantId, user.userId, sessionId);
      return isEnded ? { action: 'session.end', subject: sessionId } : null;
    });
    return ended ? redirect('/dashboard/account', texts.business.deviceEnded) : notFound();
  }),
  post('/dashboard/sign-out', 'self', async ({ sql }, { merchantId, user, session }) => {
    await sql.begin(tx => deleteSession(tx, merchantId, user.userId, session.sessionId));
    return { kind: 'redirect', to: '/dashboard/sign-in', session: 'end' };
  }),
];

function twoStepCard({ texts: { account }, user }: Visit, codes: number): Html {
  const on = html`<p>${account.recoveryLeft({ count: codes })}</p><div class="actions">
${plainLink('/dashboard/account/recovery-codes', account.recoveryRenew)}
${dangerLink('/dashboard/account/two-step/off', account.twoStepTurnOff)}</div>`;
  const off = html`<div class="actions">${plainLink('/dashboard/account/two-step', account.twoStepSetUp)}</div>`;
  const actions = user.hasTotp ? badge(account.twoStepOn, 'good') : badge(account.twoStepOff, 'warn');
  return titledCard({ title: account.twoStep, actions })`
<p class="quiet">${account.twoStepText}</p>${user.hasTotp ? on : off}`;
}

function passkeyCard({ texts: { account, labels } }: Visit, rows: readonly PasskeyRow[], possible: boolean) {
  const list = rowList(
    rows.map(row => ({
      who: html`<bdi>${row.name}</bdi>`,
      what: html`${labels.added} ${moment(row.created_at, 'date')} · ${labels.lastUsed} ${row.last_used_at ? moment(row.last_used_at) : labels.never}`,
      state: dangerButton(
        `/dashboard/account/passkeys/${encodeURIComponent(row.credential_id)}/remove`,
        labels.remove,
      ),
    })),
  );
  return titledCard({
    title: account.passkeys,
    ...(possible && { actions: plainLink('/dashboard/account/passkeys', account.passkeyAdd) }),
  })`
<p class="quiet">${account.passkeysText}</p>${possible ? html`<div class="wrapped">${list}</div>` : html`<p>${account.passkeysImpossible}</p>`}`;
}

export function sessionEnd({ texts: { account }, session }: Visit, row: ListedSession, home: string): Html {
  if (row.session_id === session.sessionId) return state(account.thisSession, 'good');
  return dangerButton(`${home}/sessions/${row.session_id}/end`, account.endSession);
}

function sessionCard(visit: Visit, rows: readonly ListedSession[]): Html {
  const { account, labels } = visit.texts;
  const list = rowList(
    rows.map(row => ({
      who: describeAgent(row.agent),
      what: html`${row.address} · ${account.signedIn} ${moment(row.created_at)} · ${labels.lastSeen} ${moment(row.last_seen_at)}`,
      state: sessionEnd(visit, row, '/dashboard/account'),
    })),
  );
  const endOthers =
    rows.length > 1 && dangerButton('/dashboard/account/sessions/end-others', account.endOthers);
  return titledCard({ title: account.sessions })`
<p class="quiet">${account.sessionsText}</p><div class="wrapped">${list}</div>${endOthers}`;
}

function languageForm({ texts, user }: Visit): Html {
  const { account, shell } = texts;
  const choices = [
    { value: '', text: account.languageBrowser },
    ...languages.map(({ tag, language }) => ({ value: tag, text: language })),
  ];
  const chosen = { value: user.language ?? '', choices };
  return postForm(
    '/dashboard/account/language',
    shell.save,
    selectField('language', account.language, chosen),
  );
}

const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [pattern: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];
const shownOfOthers = 40;

/** Shortens a browser's user agent to two words, so that people recognise their device. */
export function describeAgent(agent: string): string {
  const found = [browsers, systems].map(table => table.find(([pattern]) => pattern.test(agent))?.[1]);
  const words = found.filter(word => word !== undefined).join(', ');
  return words || agent.slice(0, shownOfOthers) || '–';
}
