/** A separate file, so that the widget does not load all texts. */
export const languageTags = ['en', 'hi'] as const;
export type Language = (typeof languageTags)[number];

/** Only customers read these, if their shop switches them on. */
export const furtherTags = ['bn', 'mr', 'te', 'ta', 'gu', 'kn'] as const;
export const customerTags = [...languageTags, ...furtherTags] as const;
export type CustomerLanguage = (typeof customerTags)[number];
