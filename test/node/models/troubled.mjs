/** What may happen to a thread in the second fold. `adapterOptions` are not for factories, so a module-wide word tells. */
const trouble = new URL(import.meta.url).searchParams.get('trouble');

export default ({ index }) => ({
  async fit() {
    if (trouble === 'late' && index === 3) {
      setTimeout(() => {
        throw new Error('too late');
      }, 300);
    }
    if (index !== 1) return;
    if (trouble === 'exit') process.exit(3);
    if (trouble === 'throw') throw new Error('no fit today');
    if (trouble === 'loop') for (;;);
    if (trouble === 'stray') {
      setTimeout(() => {
        throw new Error('nobody catches this');
      }, 0);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }
  },
  predict: (X) => X.map(([first]) => Number(first > 0)),
});
