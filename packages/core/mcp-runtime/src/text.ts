/** The first characters of a text, and never half of one. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '');
  return text.slice(0, isSplit ? length - 1 : length);
}
