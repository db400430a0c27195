import { widget as en } from './en/widget.ts';
import { widget as hi } from './hi/widget.ts';
import type { Words } from './words.ts';

export type WidgetTexts = Words<typeof en>;
/** The widget's part of every language, by itself: it must not carry the rest along. */
export const widgets: Readonly<Record<string, WidgetTexts>> = { en, hi };
