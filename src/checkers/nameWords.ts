/** The words of a name in lower case: `patient_nbr`, `imagingCentre`, `Region 2`. */
export const nameWords = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
