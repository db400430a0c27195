import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { namesTwoHosts, openToAnyOrigin } from './any-origin.ts';
import { type App, onEveryAnswer } from './app.ts';

/** The JSON that answers a GET. Null: the request takes its usual way. */
export type ReadyAnswer = (path: string) => string | null;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Sends answers before router, hooks and serialiser are asked: for what every open page asks every two seconds, those
 * are most of the cost. They carry what every answer of ours carries, and `headers`.
 */
export function answerFirst(
  { server }: App,
  { clock }: { clock: Clock },
  readyAnswer: ReadyAnswer,
  headers: Readonly<Record<string, string>>,
): void {
  // The sandbox tells its own time in every answer, by a hook.
  if (clock.outside) return;
  const usual = server.listeners('request') as Handler[];
  const goUsualWay: Handler = (request, response) => {
    for (const handle of usual) handle.call(server, request, response);
  };
  const always = Object.entries({ ...onEveryAnswer, ...openToAnyOrigin, ...headers, ...ofJson }).flat();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // While it closes, the usual way tells the caller that its connection ends.
    const mayAnswer = request.method === 'GET' && server.listening && !namesTwoHosts(request);
    const answer = mayAnswer ? readyAnswer(request.url ?? '') : null;
    if (answer === null) goUsualWay(request, response);
    else send(response, answer, always);
  });
}

const ofJson = { 'content-type': 'application/json; charset=utf-8' };

function send(response: ServerResponse, json: string, always: readonly string[]): void {
  const length = String(Buffer.byteLength(json));
  response.writeHead(200, ['x-request-id', randomUUID(), ...always, 'content-length', length]);
  response.end(json);
}
