import { account } from './en/account.ts';
import { business } from './en/business.ts';
import { shell } from './en/shell.ts';
import type { Texts } from './texts.ts';

export const english: Texts = { language: 'English', tag: 'en', shell, account, business };
