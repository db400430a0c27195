import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { namesTwoHosts, openToAnyOrigin } from './any-origin.ts';
import { type App, onEveryAnswer } from './app.ts';

/** Returns the JSON for a GET; null sends the request to the router. */
export type ReadyAnswer = (path: string) => string | null;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers before router, hooks and serialiser run. They are most of the cost of what every open page requests every two
 * seconds. These answers have our usual headers and `headers`.
 */
export function answerFirst(
  { server }: App,
  { clock }: { clock: Clock },
  readyAnswer: ReadyAnswer,
  headers: Readonly<Record<string, string>>,
): void {
  // In the sandbox a hook adds its time to every answer, so the router must answer.
  if (clock.outside) return;
  const usual = server.listeners('request') as Handler[];
  const goUsualWay: Handler = (request, response) => {
    for (const handle of usual) handle.call(server, request, response);
  };
  const always = Object.entries({ ...onEveryAnswer, ...openToAnyOrigin, ...headers, ...ofJson }).flat();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // During shutdown the router says that the connection ends.
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
