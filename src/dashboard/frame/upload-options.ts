import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { World } from '../../base/world.ts';
import { type Permission, refusedTo } from '../../business/accounts/may-do.ts';
import { findSession, isClosed } from '../../business/accounts/session.ts';
import { type Dashboard, openVisit } from './open-visit.ts';
import { refusalPage } from './refusal-page.ts';
import { type Answer, type OpenVisit, redirect } from './route.ts';
import { sendAnswer } from './send-answer.ts';

/** What a browser writes around the file. */
const roomForForm = 4 * 1024;
const mebibyte = 1024 * 1024;

type UploadRoute = { permission: Permission; method: 'GET' | 'POST'; upload?: number };

/** A route that takes a file: from whoever may do it alone, for the bytes of others are not even read. */
export function uploadOptions(
  world: World,
  dashboard: Dashboard,
  { permission, method, upload: mostBytes = 0 }: UploadRoute,
) {
  const refuse = async (request: FastifyRequest, reply: FastifyReply, open: OpenVisit, answer: Answer) => {
    // The rest of the body stays unread.
    void reply.header('connection', 'close');
    return await sendAnswer(world, dashboard, { request, reply, open, signedIn: null, answer, flash: null });
  };
  return {
    bodyLimit: mostBytes + roomForForm,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const open = openVisit(world, request);
      const session = await findSession(world, open.cookie);
      if (session?.stage !== 'full')
        return await refuse(request, reply, open, redirect('/dashboard/sign-in'));
      const refused = refusedTo(session.role, { permission, method }, isClosed(session));
      return refused ? await refuse(request, reply, open, refusalPage(open.texts, refused)) : undefined;
    },
    async errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      const open = openVisit(world, request);
      const most = String(mostBytes / mebibyte);
      return await refuse(request, reply, open, refusalPage(open.texts, 'too_large', most));
    },
  };
}
