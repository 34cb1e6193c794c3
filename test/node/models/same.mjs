/** The same model for every fold, which would take along what it has learnt. */
const model = { fit: () => undefined, predict: (X) => X.map(([first]) => Number(first > 0)) };

export default () => model;
