import { account } from './hi/account.ts';
import { business } from './hi/business.ts';
import { shell } from './hi/shell.ts';
import type { Texts } from './texts.ts';

export const hindi: Texts = { language: 'हिन्दी', tag: 'hi', shell, account, business };
