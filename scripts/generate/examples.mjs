/** The examples of docs/examples.md: each second-level heading is a title, the block below it the code. */

export function examplesOf(page) {
  const examples = page.split(/^## /m).slice(1);
  return examples.map((section) => {
    const [, title, text, code] = section.match(/^(.+)\n([\s\S]*?)```js\n([\s\S]*?)\n```/);
    return { title, text: text.trim(), code };
  });
}
