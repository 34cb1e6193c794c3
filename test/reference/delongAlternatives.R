# Writes delongAlternatives.json beside this file: the one-sided tests of test/clinical/roc/delongTest.test.ts, on the data of
# clinical.json. Run: Rscript test/reference/delongAlternatives.R     (R packages pROC, jsonlite)
suppressPackageStartupMessages({ library(pROC); library(jsonlite) })
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
data <- fromJSON(file.path(here, "clinical.json"), simplifyDataFrame = FALSE)
p <- function(y, a, b) {
  areas <- lapply(list(a, b), function(x) roc(y, x, direction = "<", levels = c(0, 1), quiet = TRUE))
  test <- function(alternative) {
    t <- roc.test(areas[[1]], areas[[2]], method = "delong", paired = TRUE, alternative = alternative)
    list(pValue = t$p.value, lower = t$conf.int[1], upper = t$conf.int[2])
  }
  list(less = test("less"), greater = test("greater"))
}
asah <- data$asah
out <- list(
  versions = list(R = as.character(getRversion()), pROC = as.character(packageVersion("pROC"))),
  wfnsS100b = p(asah$y, asah$wfns, asah$s100b),
  s100bWfns = p(asah$y, asah$s100b, asah$wfns),
  tied = lapply(data$tied, function(x) p(x$y, x$a, x$b)))
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(17)), file.path(here, "delongAlternatives.json"))
