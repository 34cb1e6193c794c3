/** Ends with one sentence, for those who wrote the member: a stack would hide it. */
export function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
