import { type Html, html } from '../../base/http/html.ts';
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
import { fold } from '../frame/choosing.ts';
import { dangerButton, postForm, selectField } from '../frame/controls.ts';
import { moment, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { get, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, pageRow, rowList, state } from '../frame/rows.ts';

export const accountRoutes = [
  get('/dashboard/account', 'self', async ({ sql }, visit) => {
    const { texts, user, now } = visit;
    const passkeys = await listPasskeys(sql, user);
    const codes = await countRecoveryCodes(sql, user);
    const sessions = await listSessions(sql, user, sessionLimits(now));
    return screen(texts.shell.yourAccount, {
      text: `${user.email} · ${texts.shell.roles[user.role]}`,
    })`<div class="stack groups one-column">${rowList(settingRows(visit, codes, passkeys))}
<section id="own-language">${languageForm(visit)}</section>
${sessionSection(visit, sessions)}
<section id="single-keys" data-keys hidden><label class="switch"><span>${texts.shell.keys.single}<br><span class="small quiet">${texts.shell.keys.singleHint}</span></span><input type="checkbox" role="switch"></label></section></div>`;
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

function settingRows({ texts, user }: Visit, codes: number, passkeys: readonly PasskeyRow[]): ListRow[] {
  const { account, shop } = texts;
  const home = '/dashboard/account';
  const left = user.hasTotp ? account.recoveryLeft({ count: codes }) : account.twoStepSetUp;
  const isOn = user.hasTotp
    ? state(account.twoStepOn, 'good')
    : state(account.twoStepOff, 'quiet', { open: true });
  const names = html`<bdi>${passkeys.map(({ name }) => name).join(', ') || account.passkeyAdd}</bdi>`;
  const { notifications } = shop.pages;
  const rows = [
    pageRow(`${home}/password`, 'lock', texts.labels.password, account.passwordChange),
    { ...pageRow(`${home}/two-step`, 'phone', account.twoStep, left), state: isOn },
    pageRow(`${home}/passkeys`, 'key', account.passkeys, names),
    pageRow('/dashboard/shop/notifications', 'bell', notifications, shop.hints.notifications),
  ];
  return user.role === 'operator' ? rows.slice(0, -1) : rows;
}

export function sessionEnd({ texts: { account }, session }: Visit, row: ListedSession, home: string): Html {
  if (row.session_id === session.sessionId) return state(account.thisSession, 'good');
  return dangerButton(`${home}/sessions/${row.session_id}/end`, account.endSession);
}

/** More are folded. This session is always among the shown ones. */
const sessionsShown = 5;

function sessionSection(visit: Visit, sessions: readonly ListedSession[]): Html {
  const { account, labels } = visit.texts;
  const isThis = (row: ListedSession) => Number(row.session_id === visit.session.sessionId);
  const rows = sessions
    .toSorted((one, other) => isThis(other) - isThis(one))
    .map(row => ({
      who: describeAgent(row.agent),
      what: row.address,
      when: html`${labels.lastSeen} ${moment(row.last_seen_at)}`,
      state: sessionEnd(visit, row, '/dashboard/account'),
    }));
  const more = rows.slice(sessionsShown);
  return html`<section><h2>${account.sessions}</h2><p class="small quiet">${account.sessionsText}</p>
${rowList(rows.slice(0, sessionsShown))}${more.length > 0 && fold(labels.andMore({ count: more.length }), rowList(more))}
${rows.length > 1 && dangerButton('/dashboard/account/sessions/end-others', account.endOthers)}</section>`;
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
