import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

/**
 * The limit of every read over HTTP: a bare Fastify route that answers with the same bytes, ready-made. Its argument is
 * a file with one JSON object: answers that it gives in turn, and the headers they share.
 */
const { answers, headers } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  answers: string[];
  headers: Record<string, string>;
};
let next = 0;

const app = fastify();
app.get('*', (_request, reply) => {
  next = (next + 1) % answers.length;
  return reply.headers(headers).send(answers[next]);
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(app.listeningOrigin);
