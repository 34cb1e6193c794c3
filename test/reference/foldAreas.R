# Writes foldAreas.json beside this file: the reference of delongOfFolds in test/intervals/cvauc.test.ts.
# Run: Rscript test/reference/foldAreas.R (R packages pROC, jsonlite)
#
# Folds of independent rows with ties: pROC's DeLong variance of each fold, and that of their mean, since folds are
# independent: the sum over K folds of the variance, over K^2. Satterthwaite's df from pROC's placements (V10, V01).
suppressPackageStartupMessages(library(pROC))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(41)
fold <- function(positives, negatives) {
  y <- c(rep(1, positives), rep(0, negatives))
  p <- round(plogis(rnorm(length(y), 1.2 * y - .6)), 1)
  r <- roc(y, p, levels = c(0, 1), direction = "<", quiet = TRUE)
  above <- outer(p[y == 1], p[y == 0], function(a, b) (a > b) + .5 * (a == b))
  parts <- c(var(rowMeans(above)) / positives, var(colMeans(above)) / negatives)
  stopifnot(abs(sum(parts) - var(r, method = "delong")) < 1e-12)
  list(yTrue = y, yProba = p, auc = as.numeric(auc(r)), variance = var(r, method = "delong"), parts = parts, df = c(positives, negatives) - 1)
}
design <- function(sizes) {
  folds <- lapply(sizes, function(n) fold(n[1], n[2]))
  K <- length(folds)
  v <- sum(sapply(folds, `[[`, "variance")) / K^2
  spread <- sum(sapply(folds, function(f) sum((f$parts / K^2)^2 / f$df)))
  list(folds = lapply(folds, `[`, c("yTrue", "yProba")), auc = mean(sapply(folds, `[[`, "auc")), standardError = sqrt(v), df = v^2 / spread)
}
cases <- list(design(list(c(4, 8), c(4, 8), c(4, 8))), design(list(c(3, 20), c(5, 9), c(12, 6), c(2, 30))), design(list(c(15, 40), c(15, 40))))
write(jsonlite::toJSON(list(versions = list(pROC = as.character(packageVersion("pROC")), R = paste(R.version$major, R.version$minor, sep = ".")), cases = cases),
  auto_unbox = TRUE, digits = NA), file.path(here, "foldAreas.json"))
