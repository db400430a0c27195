/** Of the parts with this attribute, shows those with this value alone. */
export function showOne(attribute: string, value: string | undefined, root: ParentNode = document): void {
  for (const part of root.querySelectorAll<HTMLElement>(`[${attribute}]`))
    part.hidden = part.getAttribute(attribute) !== value;
}
