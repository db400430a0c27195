/** By themselves: the widget must know them, and must not carry all texts along. */
export const languageTags = ['en', 'hi'] as const;
export type Language = (typeof languageTags)[number];
