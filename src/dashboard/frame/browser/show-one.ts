/** Shows the part whose attribute has this value, and hides the others that have the attribute. */
export function showOne(attribute: string, value: string | undefined, root: ParentNode = document): void {
  for (const part of root.querySelectorAll<HTMLElement>(`[${attribute}]`))
    part.hidden = part.getAttribute(attribute) !== value;
}
