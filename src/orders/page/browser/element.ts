/** Makes an element from attributes and text. There is no other way to write into the page, so no markup is parsed. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string | false | null)[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

export function fill<Made extends Element>(
  made: Made,
  attributes: Record<string, string>,
  children: readonly (Node | string | false | null)[],
): Made {
  for (const attribute of Object.keys(attributes)) made.setAttribute(attribute, attributes[attribute]!);
  for (const child of children) if (child !== false && child !== null) made.append(child);
  return made;
}

/** For the shop's developer. It never contains a key, only addresses, codes and reasons. */
export function complain(problem: string, ...cause: unknown[]): void {
  console.error(`[Milaan] ${problem}`, ...cause);
}
