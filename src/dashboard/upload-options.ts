import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { findSession } from '../accounts/session.ts';
import type { World } from '../world.ts';
import { refusalPage } from './refusal-page.ts';
import { sendAnswer } from './send-answer.ts';
import { type Dashboard, openVisit } from './serve-route.ts';

/** What a browser writes around the file. */
const roomForForm = 4 * 1024;
const mebibyte = 1024 * 1024;

/** A route that takes a file: from members alone, for the bytes of strangers are not even read. */
export function uploadOptions(world: World, dashboard: Dashboard, mostBytes = 0) {
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { signIn }: { signIn: boolean },
  ): Promise<FastifyReply> => {
    const open = openVisit(world, request);
    // The rest of the body stays unread.
    void reply.header('connection', 'close');
    const refusal = signIn
      ? ({ kind: 'redirect', to: '/dashboard/sign-in' } as const)
      : refusalPage(open.texts, 'too_large', String(mostBytes / mebibyte));
    return await sendAnswer(world, dashboard, {
      request,
      reply,
      open,
      signedIn: null,
      answer: refusal,
      flash: null,
    });
  };
  return {
    bodyLimit: mostBytes + roomForForm,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const session = await findSession(world, openVisit(world, request).cookie);
      return session?.stage === 'full' ? undefined : await answer(request, reply, { signIn: true });
    },
    async errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return await answer(request, reply, { signIn: false });
    },
  };
}
