import { minute } from '../../base/durations.ts';
import { type Html, html } from '../../base/http/html.ts';
import { payableTime } from '../../base/time-windows.ts';
import type { PageState, PageView } from './page-view.ts';

/** Most payments are confirmed within the first half minute; from the second on a customer may say that theirs is not. */
const claimAfter = 0.5 * minute;
/** The form is offered once this much time or less is left to pay. */
export const claimFrom = payableTime - claimAfter;

/** Where somebody may have paid and we know nothing of it. */
export function offersClaim(state: PageState): boolean {
  return state === 'pending' || state === 'late' || state === 'over';
}

export function isEarlyToClaim({ order, now, claim }: PageView): boolean {
  return claim === null && order.expires_at.getTime() - now.getTime() > claimFrom;
}

export function claimLink({ texts, claim }: PageView): Html {
  return html`<a class="go second" href="?lang=${texts.tag}&amp;claim=open#claim" data-claims>${claim === 'sent' ? texts.claimAgain : html`${texts.havePaid} <small>${texts.claimAlso}</small>`}</a>`;
}

/**
 * "I have paid": takes the reference that the customer's app shows. A link opens the form, without script too, because
 * a page that reloads every few seconds would wipe what they type; where nothing is being looked for any more, it is
 * open at once.
 */
export function claimForm(view: PageView, state: PageState): Html {
  const { texts, claim } = view;
  // On a phone the way to it stands beside the sum, where the customer looks when they are back.
  const isElsewhere = state === 'pending' && claim === null && (view.phone !== null || isEarlyToClaim(view));
  const sent = claim === 'sent';
  const isOpen = !sent && (claim !== null || state === 'over');
  const unclear = claim !== null && typeof claim === 'object' && claim.unclear;
  const query = `?lang=${texts.tag}&claim=open`;
  return html`
<section id="claim" class="card claim"${(!offersClaim(state) || isElsewhere) && html` hidden`}>
${sent && html`<p class="note" role="status">${texts.claimSent}</p>`}
<p id="offer"${isOpen && html` hidden`}>${claimLink(view)}</p>
<form method="post" action="${query}"${!isOpen && html` hidden`}>
<h2>${texts.claimHeading}</h2>
<label for="reference">${texts.claimLabel}</label>
<p class="quiet" id="hint">${texts.claimAlso} ${texts.claimHint}</p>
${unclear !== false && html`<p class="problem" id="unclear" role="alert">${texts.claimUnclear}</p>`}
<textarea id="reference" name="reference" rows="2" required autocomplete="off" spellcheck="false" inputmode="numeric"
aria-describedby="hint${unclear !== false && ' unclear'}"${unclear !== false && html` aria-invalid="true" autofocus`}>${unclear}</textarea>
<button>${texts.claimSend}</button>
</form>
</section>`;
}
