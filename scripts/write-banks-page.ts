import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBanks } from '../src/alerts/banks/load-banks.ts';
import { banksPage } from './banks-page.ts';
import { withServices } from './services-table.ts';

/** `npm run docs`, after a change of a bank's file or of a mail service. A test says when it was forgotten. */
writeFileSync(join(import.meta.dirname, '../docs/banks.md'), banksPage(loadBanks(null)));
const mailboxes = join(import.meta.dirname, '../docs/mailboxes.md');
writeFileSync(mailboxes, withServices(readFileSync(mailboxes, 'utf8')));
