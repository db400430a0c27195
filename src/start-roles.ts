import { startFollowingBanks } from './alerts/book/bank-entries.ts';
import { isBlind, silentAfter } from './alerts/forwarding/forwarding-state.ts';
import { countForwardings } from './alerts/forwarding/queries/probes.ts';
import { type MailServers, startMailServers } from './alerts/forwarding/start-mail-servers.ts';
import { startProbing } from './alerts/forwarding/start-probing.ts';
import { mailHeldLines } from './alerts/held/held-lines.ts';
import { blindAfter } from './alerts/mailboxes/mailbox-state.ts';
import { countStates } from './alerts/mailboxes/queries/states.ts';
import { startReceiving } from './alerts/mailboxes/start-receiving.ts';
import { later, minute } from './base/clock.ts';
import { startWatchingClock } from './base/database/compare-clocks.ts';
import { keepWorking } from './base/database/keep-working.ts';
import { unreachableSql } from './base/database/unreachable-sql.ts';
import { type AnswerStray, type App, newApp } from './base/http/app.ts';
import { newAsset } from './base/http/asset.ts';
import { openFront } from './base/http/open-front.ts';
import { operationsRoutes } from './base/http/operations.ts';
import { httpAddress, listenProblem } from './base/listen-problem.ts';
import { openMetrics } from './base/metrics.ts';
import type { Cells, World } from './base/world.ts';
import { startAccountWork } from './business/accounts/start-account-work.ts';
import { notifyOfLimits } from './business/merchants/notify-of-limits.ts';
import { buildDashboard } from './dashboard/frame/build-dashboard.ts';
import { landingRoutes } from './dashboard/front/landing-routes.ts';
import { merchantOfRequest } from './dashboard/front/merchant-of-request.ts';
import { startDayReports } from './dashboard/home/send-day-reports.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { clientRoutes } from './developers/clients/routes.ts';
import { connectRoutes } from './developers/connect/routes.ts';
import { buildDocs } from './developers/docs-site/build-docs.ts';
import { docsRoutes } from './developers/docs-site/routes.ts';
import { listeningRoutes } from './developers/listening/routes.ts';
import { startFindingCells, startSharing } from './operator/cells/start-sharing.ts';
import { startMeasuring } from './operator/running/start-measuring.ts';
import { mailAwaiting, mailReports, startReporting } from './operator/running/start-reporting.ts';
import { startKeepingHistory } from './orders/history/keep-history.ts';
import { counterRoutes } from './orders/links/routes.ts';
import { openOrderNews } from './orders/order-news.ts';
import { buildBrowser } from './orders/page/build-browser.ts';
import { checkoutRoutes } from './orders/page/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { startSelling } from './orders/sales/apply-sales.ts';
import { startMailing } from './outbox/mails/send-mails.ts';
import { startPushing } from './outbox/pushes/start-pushing.ts';
import { startDelivering } from './outbox/webhooks/start-delivering.ts';
import { enterReference } from './payments/review/enter-reference.ts';
import { startErasing } from './privacy/start-erasing.ts';
import type { OpenSandbox } from './sandbox/start-sandbox.ts';

/** `warm` loads what the first mail needs. Call it when the process is ready. */
export type Running = { stop(): Promise<void>; warm?(): void };

/** Starts this process's roles. Roles share only the database, so any combination may run anywhere. */
export async function startRoles(outside: World, say: (line: string) => void): Promise<Running> {
  if (outside.cells) return await startCells(outside.cells, say);
  // A live installation does not even load the sandbox.
  const sandbox =
    outside.config.mode === 'sandbox'
      ? await (await import('./sandbox/start-sandbox.ts')).startSandbox(outside, say)
      : null;
  const world = sandbox?.world ?? outside;
  const workers: Running[] = [];
  let web: App | null = null;
  // Stop the web server first, because accepted requests may still create work for the others.
  const stop = async () => {
    await web?.close();
    await Promise.all(workers.map(worker => worker.stop()));
    await sandbox?.stop();
  };
  try {
    await world.banks.reload(world);
    const mailServers = await startWorkers(world, workers, sandbox);
    web = await openApp(world, { sandbox });
    await listen(web, world, say);
    if (mailServers?.smtpPort) say(`receiving forwarded alerts on port ${mailServers.smtpPort}`);
    await sandbox?.welcome(mailServers?.smtpPort ?? null);
  } catch (error) {
    await stop();
    throw error;
  }
  const warm = () => {
    for (const worker of workers) worker.warm?.();
  };
  return { stop, warm };
}

async function startWorkers(
  world: World,
  workers: Running[],
  sandbox: OpenSandbox | null = null,
): Promise<MailServers | null> {
  const { roles, mailDomain } = world.config;
  workers.push(startWatchingClock(world), startFollowingBanks(world), startReporting(world));
  if (roles.includes('deliver')) {
    workers.push(startKeepingHistory(world), startDelivering(world), startMailing(world));
    workers.push(startPushing(world), startDayReports(world));
    workers.push(startAccountWork(world), ...startNotifyingPeople(world), startMeasuring(world));
    workers.push(startSelling(world), startErasing(world));
  }
  const receiving = roles.includes('mail')
    ? startReceiving(world, sandbox ? { judging: sandbox.judging } : {})
    : null;
  if (receiving) workers.push(receiving);
  if (!roles.includes('receive') || mailDomain === null) return null;
  workers.push(startProbing(world));
  // With several databases, one port receives the mail for all, even if some of them are down.
  if (world.cells) return null;
  const mailServers = await startMailServers(world, { workerSlots: receiving?.workerSlots ?? null });
  workers.push(mailServers);
  return mailServers;
}

/**
 * Starts the roles for several databases behind one address. A cell's work begins when the cell answers, now or later.
 * Until then, and for unknown cells, the front app answers that the database is unavailable. While cell 0 is down it
 * also serves requests that belong to no business.
 */
async function startCells(cells: Cells, say: (line: string) => void): Promise<Running> {
  const workers: Running[] = [];
  const inFront: World = { ...cells.of(0), sql: unreachableSql(), metrics: openMetrics(), cell: -1 };
  const { config, baseUrl } = inFront;
  const files = config.roles.includes('web') ? buildFiles() : undefined;
  const frontApp = await openApp(inFront, { files });
  const apps: App[] = [];
  const front = openFront(frontApp, request => {
    const merchantId = merchantOfRequest(request, baseUrl);
    return (merchantId === null ? null : apps[cells.of(merchantId).cell ?? -1]) ?? frontApp;
  });
  workers.push(startFindingCells(cells));
  if (config.roles.includes('deliver')) workers.push(startSharing(cells));
  const beginWeb = async (world: World, cell: number) => {
    const app = await openApp(world, { files });
    await front.add(app);
    apps[cell] = app;
  };
  let isStopping = false;
  /** Fails only if a port is in use: listeners and workers retry while a database is down. */
  const begin = async (world: World, cell: number) => {
    if (isStopping) return;
    if (config.roles.includes('web')) await beginWeb(world, cell);
    await startWorkers(world, workers);
  };
  const begun: Promise<void>[] = [];
  const stop = async () => {
    isStopping = true;
    await Promise.all(begun);
    await front.close();
    await Promise.all(workers.map(worker => worker.stop()));
  };
  try {
    for (const [cell, world] of cells.worlds.entries()) {
      const failed = (error: unknown) => world.log.error({ err: error }, "this cell's work could not start");
      const awaited = cells.awaited(cell);
      if (!awaited) await begin(world, cell);
      // This rejects if the process stops before the cell answers, which is no error.
      else awaited.then(() => void begun.push(begin(world, cell).catch(failed))).catch(() => {});
    }
    if (config.roles.includes('receive')) {
      const mailServers = await startMailServers(cells.worlds[0]!);
      workers.push(mailServers);
      if (mailServers.smtpPort) say(`receiving forwarded alerts on port ${mailServers.smtpPort}`);
    }
    await listen(frontApp, inFront, say);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Notices that may come a minute later, to operators and to owners. */
function startNotifyingPeople(world: World): Running[] {
  const everyMinute = (what: string, once: (world: World) => Promise<unknown>) =>
    keepWorking(world, { what, pause: 1 * minute }, async () => void (await once(world)));
  return [
    everyMinute('mailing operators about new lines', mailHeldLines),
    everyMinute('mailing operators about reports', mailReports),
    everyMinute('mailing operators about new businesses', mailAwaiting),
    everyMinute('notifying owners of limits', notifyOfLimits),
  ];
}

type Files = ReturnType<typeof buildFiles>;

function buildFiles() {
  return Promise.all([buildBrowser(), buildDocs(), buildDashboard()]);
}

/** Every process answers /healthz, /readyz and /metrics; only the web role has the rest. */
async function openApp(
  world: World,
  { sandbox = null, files }: { sandbox?: OpenSandbox | null; files?: Files | undefined },
): Promise<App> {
  let answerStray: AnswerStray = () => null;
  const app = newApp(world, (request, reply) => answerStray(request, reply));
  // With several databases, only the front app answers these, for all cells.
  if ((world.cell ?? -1) < 0) operationsRoutes(app, world, { mailboxes: mailboxesInWords });
  if (!world.config.roles.includes('web')) return app;
  const [[pageBuilt, docsBuilt, dashboardBuilt]] = await Promise.all([
    files ?? buildFiles(),
    orderRoutes(app, world),
  ]);
  await connectRoutes(app, world);
  await listeningRoutes(app, world);
  clientRoutes(app);
  docsRoutes(app, world, { files: docsBuilt });
  const { platformLogo: logo } = world.config;
  const icon = logo && { icon: newAsset(logo.type, logo.content) };
  const extra = sandbox?.routes(app);
  const news = await openOrderNews(world);
  app.addHook('onClose', () => news.stop());
  const pageFiles = checkoutRoutes(app, world, {
    files: { ...pageBuilt, ...icon },
    news,
    claim: enterReference,
    isBlind: merchantId => isBlind(world, merchantId),
    ...(extra && { extra }),
  });
  counterRoutes(app, world, pageFiles);
  dashboardRoutes(app, world, { files: { ...dashboardBuilt, ...icon } });
  answerStray = landingRoutes(app, world, pageFiles);
  return app;
}

async function listen(app: App, { config, cells }: World, say: (line: string) => void): Promise<void> {
  const { host, port } = config;
  try {
    // For `localhost` Fastify opens two servers, and the second would bypass the front app.
    await app.listen({ host: cells && host === 'localhost' ? '127.0.0.1' : host, port });
  } catch (error) {
    throw listenProblem(error, host, port);
  }
  say(`listening on ${httpAddress(host, port)}`);
}

/** No number at /readyz: anybody may ask. An unreadable mailbox is no reason to take a web server out of service. */
async function mailboxesInWords({ sql, clock }: World): Promise<string> {
  const [{ blind }, { silent }] = await Promise.all([
    countStates(sql, later(clock.now(), -blindAfter)),
    countForwardings(sql, later(clock.now(), -silentAfter)),
  ]);
  return blind + silent === 0 ? 'ok' : 'some cannot be read';
}
