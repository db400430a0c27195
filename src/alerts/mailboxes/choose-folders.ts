import type { ListResponse } from 'imapflow';
import { mostExtraFolders } from '../mail/limits.ts';
import type { Connection } from './open-connection.ts';

/**
 * INBOX first, then the spam folder, Gmail's All Mail (for alerts that a filter archived), and the merchant's own
 * choice.
 */
export async function chooseFolders(connection: Connection, extra: readonly string[]): Promise<string[]> {
  const listed = await connection.run(client => client.list());
  const usable = listed.filter(
    folder => !folder.flags.has('\\Noselect') && !folder.flags.has('\\NonExistent'),
  );
  const special = usable
    .filter(folder => isSpecial(folder) && folder.path !== 'INBOX')
    .map(folder => folder.path);
  const named = usable.map(folder => folder.path).filter(path => extra.includes(path));
  return [...new Set(['INBOX', ...special.slice(0, mostExtraFolders), ...named])];
}

function isSpecial({ specialUse }: ListResponse): boolean {
  return specialUse === '\\Junk' || specialUse === '\\All';
}
