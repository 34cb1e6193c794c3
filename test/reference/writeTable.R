# Writes writeTable.json beside this file: what write.table writes, and what read.table reads, for test/node/table/writeTable.test.ts.
# Run: Rscript test/reference/writeTable.R     (R package jsonlite)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
frame <- data.frame(
  age = c(61.5, NA, 47, 70.25), stage = c("I", "II a", NA, "I, b"), y = c(0L, 1L, 0L, 1L),
  row.names = c("r 1", "r 2", "r 3", "r 4")
)
numbered <- data.frame(age = frame$age, crp = c(1.5, 2.5, 0.25, 3), y = frame$y)[c(4, 2, 1), ]
case <- function(frame, ...) {
  file <- paste0(paste(capture.output(write.table(frame, ...)), collapse = "\n"), "\n")
  more <- list(...)[intersect(names(list(...)), c("sep", "dec"))]
  read <- do.call(read.table, c(list(text = file), more))
  list(file = file, rows = row.names(read), columns = as.list(read))
}
cases <- list(
  plain = case(frame), comma = case(frame, sep = ","), tab = case(frame, sep = "\t", quote = FALSE),
  numbered = case(numbered), "decimal comma" = case(numbered, dec = ","), semicolon = case(numbered, sep = ";", dec = ",")
)
jsonlite::write_json(
  list(version = R.version.string, cases = cases), file.path(here, "writeTable.json"),
  auto_unbox = TRUE, digits = NA, na = "null", pretty = TRUE
)
