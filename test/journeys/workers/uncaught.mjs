/** Models that throw where nobody listens, in the first fold. */
export default ({ fold }) => ({
  async fit() {
    if (fold !== 'fold-0') return;
    setTimeout(() => {
      throw new Error('out of nowhere');
    });
    await new Promise(() => undefined);
  },
  predict: (rows) => rows.map(([a]) => Number(a > 1)),
});
