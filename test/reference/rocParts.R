# Writes rocParts.json beside this file: the references of test/metrics/rocAt.test.ts and partialAuc.test.ts.
# Run: Rscript test/reference/rocParts.R     (R packages pROC, jsonlite)
#
# Estimates by `coords` and `auc(partial.auc=)` of pROC. Limits by its stratified bootstrap in 20 runs of 2,000 resamples:
# their means, and the standard deviation of one run's limit, which is its Monte Carlo standard error. Weight k: pROC on
# rows that stand k times.
suppressPackageStartupMessages(library(pROC))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
options(pROCProgress = list(name = "none"))
set.seed(20)
data(aSAH)
curve <- function(y, s) roc(y, s, levels = c(0, 1), direction = "<", quiet = TRUE)
at <- function(r, input, x) {
  other <- if (input == "specificity") "sensitivity" else "specificity"
  as.numeric(coords(r, x = x, input = input, ret = other, transpose = FALSE)[, 1])
}
places <- c(.05, .25, .5, .8, .9, .95, 1)
ranges <- list(c(.9, 1), c(.8, 1), c(0, 1), c(.3, .55), c(.91, .912))
estimates <- function(r) list(places = places, specificity = at(r, "specificity", places), sensitivity = at(r, "sensitivity", places),
  areas = do.call(c, lapply(c("specificity", "sensitivity"), function(of) lapply(ranges, function(x) {
    part <- function(correct) as.numeric(auc(r, partial.auc = x, partial.auc.focus = of, partial.auc.correct = correct, allow.invalid.partial.auc.correct = TRUE))
    list(of = of, from = x[1], to = x[2], plain = part(FALSE), corrected = part(TRUE)) }))))
runs <- function(limits) { all <- replicate(20, limits()); list(mean = rowMeans(all), sd = apply(all, 1, sd)) }
y <- as.integer(aSAH$outcome == "Poor"); s100b <- aSAH$s100b; wfns <- as.integer(aSAH$wfns)
r <- curve(y, s100b)
limits <- list(
  specificity90 = runs(function() as.numeric(ci.se(r, specificities = .9))[c(1, 3)]),
  sensitivity80 = runs(function() as.numeric(ci.sp(r, sensitivities = .8, conf.level = .9))[c(1, 3)]),
  area = runs(function() { p <- curve(y, s100b); p$auc <- auc(p, partial.auc = c(1, .8)); as.numeric(ci.auc(p, method = "bootstrap"))[c(1, 3)] }),
  corrected = runs(function() { p <- curve(y, s100b); p$auc <- auc(p, partial.auc = c(1, .8), partial.auc.correct = TRUE)
    as.numeric(suppressWarnings(ci.auc(p, method = "bootstrap")))[c(1, 3)] }))
weighted <- lapply(1:3, function(i) {
  n <- 50; yy <- rbinom(n, 1, .4); s <- rbinom(n, 9, .35 + .2 * yy); w <- rpois(n, 1.4)
  list(y = yy, scores = s, weight = w, found = estimates(curve(rep(yy, w), rep(s, w))))
})
versions <- list(pROC = as.character(packageVersion("pROC")), R = paste(R.version$major, R.version$minor, sep = "."))
write(jsonlite::toJSON(list(versions = versions, asah = list(y = y, s100b = s100b, wfns = wfns, s100bFound = estimates(r), wfnsFound = estimates(curve(y, wfns)),
  limits = limits), weighted = weighted), auto_unbox = TRUE, digits = NA), file.path(here, "rocParts.json"))
