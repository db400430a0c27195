/** By themselves: the widget must know them, and must not carry all texts along. */
export const languageTags = ['en', 'hi'] as const;
export type Language = (typeof languageTags)[number];

/** What customers alone may read too, where their shop switches it on. */
export const furtherTags = ['bn', 'mr', 'te', 'ta', 'gu', 'kn'] as const;
export const customerTags = [...languageTags, ...furtherTags] as const;
export type CustomerLanguage = (typeof customerTags)[number];
