import type { FastifyReply } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { linkOf } from '../orders/present-order.ts';
import { qrPng } from '../orders/qr-png.ts';
import type { PageOrder } from './queries.ts';

/** The QR as a picture to keep, for as long as the page shows it: one of an order that is over must not be paid. */
export function sendQr(reply: FastifyReply, order: PageOrder | null): FastifyReply {
  if (order?.status !== 'pending' || !order.confirmable) throw new ApiError('order_not_found');
  return reply
    .headers({ 'content-type': 'image/png', 'cache-control': 'no-store' })
    .send(qrPng(linkOf(order)));
}
