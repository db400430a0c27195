import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { second, stopwatch } from '../clock.ts';
import type { World } from '../world.ts';
import { allowAnyOrigin, answerPreflight, namesTwoHosts } from './any-origin.ts';
import { ApiError, bodyOf } from './api-error.ts';
import { refusalFor } from './refusal-for.ts';

export type App = FastifyInstance;

/** Answers an unknown path with a page for people; null if the caller wants no page. */
export type AnswerStray = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** Limits against slow, large and endless requests. A create body is far below 10 KiB. */
const bodyLimit = 64 * 1024;
const headerLimit = 16 * 1024;
const requestLimit = 10 * second;
const urlParameterLimit = 500;
/** Limits for reading on after an early answer: many clients read no answer before they have sent all. */
const [mostUnread, unreadFor] = [64 * 1024 * 1024, 5 * second];
/** The interval for closing idle connections during shutdown. */
const restLimit = 0.1 * second;

export function newApp(
  { log, config, baseUrl }: Pick<World, 'log' | 'config' | 'baseUrl'>,
  answerStray: AnswerStray = () => null,
): App {
  const refuse = refuser(baseUrl);
  const app = fastify({
    loggerInstance: withoutChildren(log),
    // A log line per request would cost more than most requests. Failures are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: ({ url = '/' }) => withoutHost(url),
    // Trust only the one proxy's entry, the last in X-Forwarded-For. The caller may have written all earlier ones.
    trustProxy: config.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit,
    requestTimeout: requestLimit,
    routerOptions: { maxParamLength: urlParameterLimit },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // With `true`, Node would answer a request without a host by itself, with an empty body.
    http: {
      requireHostHeader: false,
      maxHeaderSize: headerLimit,
      headersTimeout: requestLimit,
      connectionsCheckingInterval: second,
    },
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, baseUrl),
    // Hooks do not run for a malformed URL.
    frameworkErrors: (error, request, reply) => {
      if (!greet(request, reply as FastifyReply)) refuse(error, request, reply as FastifyReply);
    },
  });
  answerWhatNodeWouldNot(app, baseUrl);
  const methods: Methods = listMethods(app);

  // Bodies stay bytes. A route parses them after it has checked the caller (§7: 401 comes before 400).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    if (!greet(request, reply))
      done(
        namesTwoHosts(request.raw)
          ? new ApiError('invalid_request', { message: 'The request names two hosts.' })
          : undefined,
      );
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.raw.complete === false) {
      // With "connection: close" Node hangs up. The client's sending then fails, and it misses the answer.
      reply.removeHeader('connection');
      reply.raw.once('finish', () => readOn(request.raw));
    }
    done();
  });
  app.addHook('preClose', done => {
    closeAsTheyRest(app);
    done();
  });
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.at(request.url);
    const page = allowed.length === 0 ? answerStray(request, reply) : null;
    if (page) return page;
    const refusal =
      allowed.length > 0
        ? new ApiError('method_not_allowed', { allow: allowed.join(', ') })
        : new ApiError('not_found');
    refuse(refusal, request, reply);
  });
  return app;
}

/**
 * A request may contain a full URL (RFC 9112 §3.2.2). Only its path counts. Otherwise a redirect built from it could
 * lead to a host of the caller's choice.
 */
function withoutHost(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path === url || path.startsWith('/') ? path : `/${path}`;
}

/** Otherwise a connection with a running answer would stay idle for a minute after it, and delay the shutdown. */
function closeAsTheyRest({ server }: App): void {
  if (!server.listening) return;
  const closing = setInterval(() => server.closeIdleConnections(), restLimit);
  server.once('close', () => clearInterval(closing));
}

/** Node discards the rest of an answered request. This limits it, or a caller could hold a connection forever. */
function readOn(request: IncomingMessage): void {
  const { socket } = request;
  const most = socket.bytesRead + mostUnread;
  const since = stopwatch();
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (socket.bytesRead > most || since() > unreadFor) socket.destroy();
  }, restLimit);
}

export const onEveryAnswer = { 'x-content-type-options': 'nosniff' };

/** Returns true if it has sent the whole answer. */
function greet(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('x-request-id', request.id);
  reply.headers(onEveryAnswer);
  allowAnyOrigin(request, reply);
  return answerPreflight(request, reply);
}

/** Otherwise Node hangs up on CONNECT, and answers an unknown Expect with 417 and no body. We ignore such an Expect. */
function answerWhatNodeWouldNot({ server }: App, baseUrl: string): void {
  server.on('connect', (_request, socket: Socket) =>
    refuseBrokenRequest(new Error('CONNECT'), socket, baseUrl),
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Requests share one logger, because the few log lines about a request contain its id. */
function withoutChildren(log: World['log']): FastifyBaseLogger {
  const alone: World['log'] = Object.create(log);
  alone.child = () => alone as never;
  return alone as FastifyBaseLogger;
}

function refuser(baseUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = refusalFor(error);
    if (refusal.code === 'internal_error')
      request.log.error(
        { reqId: request.id, err: error, url: request.routeOptions?.url },
        'unexpected failure',
      );
    if (refusal.code === 'service_unavailable')
      request.log.warn({ reqId: request.id, err: error }, 'database unreachable');
    void reply.code(refusal.status).headers(refusal.headers).send(bodyOf(refusal, baseUrl));
  };
}

/** Answers input that never became a request: a slow client, endless headers or garbage. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The previous request's answer is still to come, and the client would take this refusal for it.
  const earlier = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (earlier?.req.complete && !earlier.writableFinished) {
    earlier.once('finish', () => socket.end());
    return;
  }
  const code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request_timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'invalid_request';
  const notHttp = code === 'invalid_request' ? { message: 'This is not an HTTP request.' } : {};
  const refusal = new ApiError(code, notHttp);
  const body = JSON.stringify(bodyOf(refusal, baseUrl));
  socket.end(
    `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/json; charset=utf-8\r\naccess-control-allow-origin: *\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The methods of a path, so that a wrong method differs from an unknown path. */
type Methods = { at(url: string): string[] };

function listMethods(app: FastifyInstance): Methods {
  const routes: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', route => {
    routes.push({ path: pathPattern(route.url), methods: [route.method].flat() });
  });
  return {
    at(url) {
      const path = url.split('?', 1)[0]!;
      const found = routes.filter(route => route.path.test(path)).flatMap(route => route.methods);
      return [...new Set(found)].sort();
    },
  };
}

function pathPattern(url: string): RegExp {
  const parts = url.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
