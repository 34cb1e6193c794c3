/** Reads a table and cross-validates it in Web Workers, two folds at once. The file never leaves the page. */
import { CVKitValidator, generateTemporalPatientData } from 'cvkit';
import { tabular } from 'cvkit/preprocessing';
import { readTable } from 'cvkit/table';

const shown = document.querySelector('pre');

async function study(data) {
  shown.textContent = 'Cross-validating …';
  const result = await new CVKitValidator().validate({
    ...data,
    model: new URL('model.js', document.baseURI), // each worker loads it
    preprocessing: tabular(), // in each fold on its training rows
    nJobs: 2,
    verbose: 0,
  });
  shown.textContent = result.summary();
}

/** Shows what is wrong, in the words of cvkit. */
function show(work) {
  work().catch((error) => {
    shown.textContent = error.message;
  });
}

document.querySelector('input').addEventListener('change', ({ target }) => {
  show(async () => study(await readTable(target.files[0], { target: 'event', groups: 'patient' })));
});
document.querySelector('button').addEventListener('click', () => {
  const { X, y, groups } = generateTemporalPatientData();
  show(() => study({ X, y, groups }));
});
