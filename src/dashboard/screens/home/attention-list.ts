import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { sayReason } from '../../../texts/say.ts';
import { linkButton } from '../../components/controls.ts';
import { card, moment, note, rupees } from '../../components/parts.ts';
import type { Attention } from '../../find-attention.ts';

type Line = { tone: 'warn' | 'bad'; text: string; more?: Html | null; href: string; link: string };

export function attentionList(texts: Texts, found: readonly Attention[]): Html {
  const words = texts.home;
  if (found.length === 0) return card(html`<p>${words.allWell}</p>`, { title: words.attention });
  const lines = found.map(one => lineOf(texts, one));
  return card(
    html`<ul class="plain-list">${lines.map(
      line =>
        html`<li>${note(
          html`<div class="attention"><div><p>${line.text}</p>${line.more}</div><p class="note-link">${linkButton(line.href, line.link, { plain: true })}</p></div>`,
          line.tone,
        )}</li>`,
    )}</ul>`,
    { title: words.attention },
  );
}

function lineOf(texts: Texts, one: Attention): Line {
  const words = texts.home;
  const webhooks = { href: '/dashboard/webhooks', link: words.openWebhooks };
  const plan = { href: '/dashboard/plan', link: words.openPlan };
  switch (one.kind) {
    case 'no_account':
      return { tone: 'bad', text: words.noAccount, href: '/dashboard/upi-accounts', link: words.addAccount };
    case 'no_bank':
      return {
        tone: 'bad',
        text: words.noBank(one.vpa),
        href: '/dashboard/upi-accounts',
        link: words.nameBank,
      };
    case 'no_mailbox':
      return { tone: 'bad', text: words.noMailbox, href: '/dashboard/mailbox', link: words.connectMailbox };
    case 'blind_mailbox':
      return {
        tone: 'bad',
        text: one.needsLogin ? `${words.blind(one.address)} ${words.needsLogin}` : words.blind(one.address),
        more: html`<p>${one.since && html`${words.blindSince}: ${moment(one.since)}. `}${one.reason !== null && sayReason(texts.tag, one.reason)}</p>`,
        href: '/dashboard/mailbox',
        link: words.openMailbox,
      };
    case 'silent_forwarding':
      return {
        tone: 'bad',
        text: words.silentForwarding(one.address),
        more: html`<p>${words.blindSince}: ${moment(one.since)}.</p>`,
        href: '/dashboard/mailbox#forwarding',
        link: words.openMailbox,
      };
    case 'failing_webhooks':
      return {
        tone: 'bad',
        text: words.failing(one.destination),
        more: html`<p>${words.blindSince}: ${moment(one.since)}. ${words.lastFailure}: ${sayReason(texts.tag, one.reason)}.</p>`,
        ...webhooks,
      };
    case 'given_up_webhooks':
      return { tone: 'warn', text: words.givenUp(one.count), ...webhooks };
    case 'unmatched_money':
      return {
        tone: 'warn',
        text: words.unmatched(one.count),
        href: '/dashboard/money',
        link: words.openMoney,
      };
    case 'doubtful_mails':
      return {
        tone: 'warn',
        text: words.doubtful(one.count),
        href: '/dashboard/money/refused',
        link: words.openRefused,
      };
    case 'paused_accounts':
      return { tone: 'warn', text: words.paused(one.count, one.limit), ...plan };
    case 'plan_limit_near':
      return { tone: 'warn', text: words.limitNear(one.percent, rupees(one.limitPaise)), ...plan };
    case 'plan_limit_reached':
      return { tone: 'bad', text: words.limitReached(rupees(one.limitPaise)), ...plan };
  }
}
