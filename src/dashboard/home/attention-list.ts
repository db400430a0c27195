import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { plainLink } from '../frame/controls.ts';
import { card, moment, note, rupees } from '../frame/parts.ts';
import type { Attention } from './find-attention.ts';

/** The page where something can be done about it, and what the link there says. */
type Way = [href: string, link: string];

export function attentionList(texts: Texts, found: readonly Attention[]): Html {
  const { attention: title, allWell } = texts.home;
  if (found.length === 0) return card(html`<p>${allWell}</p>`, { title });
  return card(html`<ul class="plain-list">${found.map(one => lineOf(texts, one))}</ul>`, { title });
}

function lineOf(texts: Texts, one: Attention): Html {
  const words = texts.home;
  const say = (tone: 'warn' | 'bad', text: string, [href, link]: Way, more?: Html) => {
    const way = html`<p class="note-link">${plainLink(href, link)}</p>`;
    return html`<li>${note(html`<div class="attention"><div><p>${text}</p>${more}</div>${way}</div>`, tone)}</li>`;
  };
  const mailbox: Way = ['/dashboard/mailbox', texts.labels.seeMailbox];
  const webhooks: Way = ['/dashboard/webhooks', words.openWebhooks];
  const plan: Way = ['/dashboard/plan', words.openPlan];
  switch (one.kind) {
    case 'no_account':
      return say('bad', words.noAccount, ['/dashboard/upi-accounts', texts.labels.addUpiAccount]);
    case 'no_bank':
      return say('bad', words.noBank(one), ['/dashboard/upi-accounts', words.nameBank]);
    case 'no_mailbox':
      return say('bad', words.noMailbox, ['/dashboard/mailbox', texts.labels.connectMailbox]);
    case 'blind_mailbox': {
      const blind = words.blind(one);
      const more = html`<p>${one.since && html`${texts.labels.since}: ${moment(one.since)}. `}${one.reason !== null && sayReason(texts.tag, one.reason)}</p>`;
      return say('bad', one.needsLogin ? `${blind} ${words.needsLogin}` : blind, mailbox, more);
    }
    case 'silent_forwarding': {
      const more = html`<p>${texts.labels.since}: ${moment(one.since)}.</p>`;
      const way: Way = ['/dashboard/mailbox#forwarding', texts.labels.seeMailbox];
      return say('bad', words.silentForwarding(one), way, more);
    }
    case 'changed_mails':
      return say('bad', words.changedMails, mailbox, html`<p>${sayReason(texts.tag, one.reason)}</p>`);
    case 'failing_webhooks': {
      const more = html`<p>${texts.labels.since}: ${moment(one.since)}. ${texts.labels.lastReason}: ${sayReason(texts.tag, one.reason)}.</p>`;
      return say('bad', words.failing(one), webhooks, more);
    }
    case 'given_up_webhooks':
      return say('warn', words.givenUp(one), webhooks);
    case 'unmatched_money':
      return say('warn', words.unmatched(one), ['/dashboard/money', words.openMoney]);
    case 'missing_in_statement':
      return say('bad', words.missing(one), ['/dashboard/money#missing', words.openMoney]);
    case 'doubtful_mails':
      return say('warn', words.doubtful(one), ['/dashboard/money/refused', words.openRefused]);
    case 'paused_accounts':
      return say('warn', words.paused(one), plan);
    case 'plan_limit_near':
      return say('warn', words.limitNear({ percent: one.percent, limit: rupees(one.limitPaise) }), plan);
    case 'plan_limit_reached':
      return say('bad', words.limitReached({ limit: rupees(one.limitPaise) }), plan);
  }
}
