/** The shape of a set of texts, whatever its language. */
export type Words<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => infer Said
    ? (...given: Given) => Words<Said>
    : { readonly [Key in keyof Text]: Words<Text[Key]> };
