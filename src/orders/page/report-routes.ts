import type { FastifyReply, FastifyRequest } from 'fastify';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { readForm } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import { networkOf } from '../../base/http/network-of.ts';
import { sendHtml } from '../../base/http/send-html.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { merchantOfToken } from '../order.ts';
import { chooseTexts, frame, type PageFiles, type PageTexts } from './page-frame.ts';
import { addToReport, insertReport, type PageOrder, selectPageOrder } from './queries.ts';

const longestNote = 500;
type ReportRequest = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;

/**
 * "Report this page": anybody with the link can report to the operator that something is wrong. It does not change the
 * order. It is a separate page without script, so that the payment page only needs a link.
 */
export function reportRoutes(app: App, world: Pick<World, 'sql' | 'clock'>, files: PageFiles): void {
  app.get('/pay/:token/report', async (request: ReportRequest, reply) => {
    const { texts } = await read(request);
    return await send(request, reply, texts, false);
  });

  app.post('/pay/:token/report', async (request: ReportRequest, reply) => {
    const { order, texts } = await read(request);
    const note = storable(readForm(request)?.text('note') ?? '', longestNote);
    // A sender of too many reports gets the usual answer, but nothing is stored.
    const { merchant_id, order_id } = order;
    const row = { merchant_id, order_id, reported_at: world.clock.now(), note };
    // Repeated reports of one page do not use up the business's share, or one page could hide the others.
    if (
      (await mayGuess(world, [{ kind: 'report', whom: networkOf(request.ip) }])) &&
      !(await addToReport(world.sql, row)) &&
      (await mayGuess(world, [{ kind: 'reports', whom: String(merchant_id) }]))
    )
      await insertReport(world.sql, row);
    return await send(request, reply, texts, true);
  });

  function send(request: ReportRequest, reply: FastifyReply, texts: PageTexts, isSent: boolean) {
    const page = reportPage(texts, files, request.params.token, isSent);
    return sendHtml(request, reply, 200, page, { forms: true, vary: 'Accept-Language' });
  }

  async function read(request: ReportRequest): Promise<{ order: PageOrder; texts: PageTexts }> {
    const { token } = request.params;
    const merchantId = merchantOfToken(token);
    const [order] =
      merchantId === null
        ? []
        : await withDeadline(selectPageOrder(world.sql, merchantId, token, world.clock.now()));
    if (!order) throw new ApiError('order_not_found');
    return { order, texts: chooseTexts(request, order.languages) };
  }
}

function reportPage(texts: PageTexts, files: PageFiles, token: string, isSent: boolean): Html {
  const { link, text, label, send, sent } = texts.report;
  const form = html`<p class="quiet">${text}</p>
<form method="post" action="?lang=${texts.tag}">
<label for="note">${label}</label>
<textarea id="note" name="note" rows="4" required maxlength="${longestNote}"></textarea>
<button>${send}</button>
</form>`;
  const body = html`
<main><section class="card claim notice">
<h1>${link}</h1>
${isSent ? html`<p class="note" role="status">${sent}</p>` : form}
<p><a class="go second" href="/pay/${token}?lang=${texts.tag}">${texts.notice.back}</a></p>
</section></main>`;
  return frame({ texts, files, title: link, body, refresh: null, script: false });
}
