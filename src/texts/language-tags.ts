import offered from './customers/offered.json' with { type: 'json' };

/** A separate file, so that the widget does not load all texts. */
export const languageTags = ['en', 'hi'] as const;
export type Language = (typeof languageTags)[number];

/** A folder of `customers/`. Its list names those that customers are offered, in the order of menus. */
export type CustomerLanguage = string;
export const customerTags: readonly CustomerLanguage[] = offered;
/** Only customers read these, if their shop switches them on. */
export const furtherTags = /* @__PURE__ */ customerTags.filter(tag => !/^(?:en|hi)$/.test(tag));
