import { silentAfter } from './alerts/forwarding/forwarding-state.ts';
import { isBlind } from './alerts/forwarding/is-blind.ts';
import { countForwardings } from './alerts/forwarding/queries/probes.ts';
import { startTakingMail } from './alerts/forwarding/start-taking-mail.ts';
import { mailHeldLines } from './alerts/judging/mail-held-lines.ts';
import { startFollowingBanks } from './alerts/judging/start-following-banks.ts';
import { blindAfter } from './alerts/mailboxes/mailbox-state.ts';
import { countStates } from './alerts/mailboxes/queries/states.ts';
import { startReceiving } from './alerts/mailboxes/start-receiving.ts';
import { later, minute } from './base/clock.ts';
import { keepWorking } from './base/database/keep-working.ts';
import { startWatchingClock } from './base/database/start-watching-clock.ts';
import { type AnswerStray, newApp } from './base/http/app.ts';
import { newAsset } from './base/http/asset.ts';
import { operationsRoutes } from './base/http/operations.ts';
import { httpAddress, listenProblem } from './base/listen-problem.ts';
import { parseAllowList } from './base/network/allow-list.ts';
import type { World } from './base/world.ts';
import { startAccountWork } from './business/accounts/start-account-work.ts';
import { tellLimits } from './business/merchants/tell-limits.ts';
import { buildDashboard } from './dashboard/frame/build-dashboard.ts';
import { landingRoutes } from './dashboard/landing-routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { startSummaries } from './dashboard/summary/send-summaries.ts';
import { clientRoutes } from './developers/clients/routes.ts';
import { connectRoutes } from './developers/connect/routes.ts';
import { buildDocs } from './developers/docs-site/build-docs.ts';
import { docsRoutes } from './developers/docs-site/routes.ts';
import { listeningRoutes } from './developers/listening/routes.ts';
import { mailAwaiting, mailReports } from './operator/mail-reports.ts';
import { startErasing } from './operator/privacy/start-erasing.ts';
import { startMeasuring } from './operator/start-measuring.ts';
import { startTelling } from './operator/start-telling.ts';
import { startKeepingHistory } from './orders/history/start-keeping-history.ts';
import { tillRoutes } from './orders/links/routes.ts';
import { openOrderNews } from './orders/order-news.ts';
import { buildBrowser } from './orders/page/build-browser.ts';
import { checkoutRoutes } from './orders/page/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { startSelling } from './orders/sales/start-selling.ts';
import { startChatting } from './outbox/chats/start-chatting.ts';
import { startMailing } from './outbox/mails/start-mailing.ts';
import { startPushing } from './outbox/pushes/start-pushing.ts';
import { startDelivering } from './outbox/webhooks/start-delivering.ts';
import { claimReference } from './payments/review/claim-reference.ts';
import type { OpenSandbox } from './sandbox/start-sandbox.ts';

export type Running = { stop(): Promise<void> };

/** Starts what this process is for. Roles share nothing but the database, so any combination may run anywhere. */
export async function startRoles(outside: World, say: (line: string) => void): Promise<Running> {
  // Not even loaded in a live installation.
  const sandbox =
    outside.config.mode === 'sandbox'
      ? await (await import('./sandbox/start-sandbox.ts')).startSandbox(outside, say)
      : null;
  const world = sandbox?.world ?? outside;
  const { roles } = world.config;
  const workers: Running[] = [];
  let web: Running | null = null;
  // The web server first: what it accepted may still hand work to the others. These all at once: each may need seconds.
  const stop = async () => {
    await web?.stop();
    await Promise.all(workers.map(worker => worker.stop()));
    await sandbox?.stop();
  };
  try {
    parseAllowList(world.config.webhookAllow);
    await world.banks.look(world);
    workers.push(startWatchingClock(world), startFollowingBanks(world), startTelling(world));
    if (roles.includes('deliver')) {
      workers.push(startKeepingHistory(world), startDelivering(world), startMailing(world));
      workers.push(startPushing(world), startChatting(world), startSummaries(world));
      workers.push(startAccountWork(world), ...startTellingPeople(world), startMeasuring(world));
      workers.push(startSelling(world), startErasing(world));
    }
    const receiving = roles.includes('mail')
      ? startReceiving(world, sandbox ? { judging: sandbox.judging } : {})
      : null;
    if (receiving) workers.push(receiving);
    const desk = receiving?.desk ?? null;
    const taking = roles.includes('receive') ? await startTakingMail(world, { desk }) : null;
    if (taking) workers.push(taking);
    web = await startWeb(world, sandbox, say);
    if (taking?.smtpPort) say(`taking forwarded alerts on port ${taking.smtpPort}`);
    await sandbox?.welcome(taking?.smtpPort ?? null);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** What people hear of a little later: operators of banks' new lines and of reported pages, owners of their plan's walls. */
function startTellingPeople(world: World): Running[] {
  const tell = (what: string, once: (world: World) => Promise<unknown>) =>
    keepWorking(world, { what, pause: 1 * minute }, async () => void (await once(world)));
  return [
    tell('telling operators of new lines', mailHeldLines),
    tell('telling operators of reports', mailReports),
    tell('telling operators of new businesses', mailAwaiting),
    tell('telling owners of limits', tellLimits),
  ];
}

/** Every process answers /healthz, /readyz and /metrics; only the web role has the rest. */
async function startWeb(
  world: World,
  sandbox: OpenSandbox | null,
  say: (line: string) => void,
): Promise<Running> {
  const { roles, host, port } = world.config;
  let answerStray: AnswerStray = () => null;
  const app = newApp(world, (request, reply) => answerStray(request, reply));
  operationsRoutes(app, world, { mailboxes: () => mailboxesInWords(world) });
  if (roles.includes('web')) {
    const [files, docsFiles, dashboardFiles] = await Promise.all([
      buildBrowser(),
      buildDocs(),
      buildDashboard(),
      orderRoutes(app, world, sandbox?.sections),
    ]);
    await connectRoutes(app, world);
    await listeningRoutes(app, world);
    clientRoutes(app);
    docsRoutes(app, world, { files: docsFiles });
    const { platformMark: mark } = world.config;
    const icon = mark && { icon: newAsset(mark.type, mark.content) };
    const extra = sandbox?.routes(app);
    const news = await openOrderNews(world);
    app.addHook('onClose', () => news.stop());
    const pageFiles = checkoutRoutes(app, world, {
      files: { ...files, ...icon },
      news,
      claim: claimReference,
      isBlind: merchantId => isBlind(world, merchantId),
      ...(extra && { extra }),
    });
    tillRoutes(app, world, pageFiles);
    dashboardRoutes(app, world, { files: { ...dashboardFiles, ...icon } });
    answerStray = landingRoutes(app, world, pageFiles);
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenProblem(error, host, port);
  }
  say(`listening on ${httpAddress(host, port)}`);
  return { stop: () => app.close() };
}

/**
 * Told at /readyz: a blind mailbox is no reason to take a web server out of service, but to look at it. How many
 * there are is for the metrics and the operator's screen: anybody may ask here.
 */
async function mailboxesInWords({ sql, clock }: World): Promise<string> {
  const [{ blind }, { silent }] = await Promise.all([
    countStates(sql, later(clock.now(), -blindAfter)),
    countForwardings(sql, later(clock.now(), -silentAfter)),
  ]);
  return blind + silent === 0 ? 'ok' : 'some cannot be read';
}
