import type { World } from '../../base/world.ts';
import { type Notice, selectNotices } from './queries.ts';

const pageSize = 50;

/** What the dashboard shows a business, newest first; `before` of one page asks for the next. */
export async function listNotices(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  { before = null, onlyUnseen = false }: { before?: number | null; onlyUnseen?: boolean } = {},
): Promise<{ notices: Notice[]; before: number | null }> {
  const rows = await selectNotices(sql, merchantId, { before, limit: pageSize + 1, onlyUnseen });
  const notices = rows.slice(0, pageSize);
  return { notices, before: rows.length > pageSize ? (notices.at(-1)?.notice_id ?? null) : null };
}
