import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBanks } from '../src/alerts/banks/load-banks.ts';
import { banksPage } from './banks-page.ts';

/** `npm run docs`, after a change of a bank's file. A test says when it was forgotten. */
writeFileSync(join(import.meta.dirname, '../docs/banks.md'), banksPage(loadBanks(null)));
