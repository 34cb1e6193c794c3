# Writes classIntervals.json beside this file: the intervals of test/metrics/classReport.test.ts.
# Run: Rscript test/reference/classIntervals.R     (R packages epiR, clubSandwich, jsonlite)
#
# A class against the rest: epi.tests (Wilson), binom.test (Clopper-Pearson), and for patients with several rows the ratio
# estimator of clubSandwich (CR1). F1 and means over the classes: the derivative of the value in the weight of each row by
# central differences, summed per patient. Patients have rows of every class, so that there is one stratum.
suppressPackageStartupMessages({ library(epiR); library(clubSandwich) })
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(15)
logit <- qlogis; expit <- plogis
limits <- function(est, lower, upper) list(estimate = est, lower = lower, upper = upper)
onLogit <- function(est, se, df) { q <- qt(.975, df) * se / (est * (1 - est)); limits(est, expit(logit(est) - q), expit(logit(est) + q)) }
exact <- function(x, n) { ci <- binom.test(x, n)$conf.int; limits(x / n, ci[1], ci[2]) }
measures <- list(
  sensitivity = function(y, p, w, k) sum(w[y == k & p == k]) / sum(w[y == k]),
  specificity = function(y, p, w, k) sum(w[y != k & p != k]) / sum(w[y != k]),
  ppv = function(y, p, w, k) sum(w[y == k & p == k]) / sum(w[p == k]),
  npv = function(y, p, w, k) sum(w[y != k & p != k]) / sum(w[p != k]),
  f1 = function(y, p, w, k) 2 * sum(w[y == k & p == k]) / (sum(w[y == k]) + sum(w[p == k])))
slopes <- function(f, w) sapply(seq_along(w), function(i) { h <- 1e-4; up <- down <- w; up[i] <- w[i] + h; down[i] <- w[i] - h; (f(up) - f(down)) / (2 * h) })
kish <- function(g) { rows <- as.numeric(table(g)); sum(rows)^2 / sum(rows^2) }
# Variance of `f` over the patients `g` that have a row which counts, and t with Kish's number of patients.
delta <- function(f, w, g, counts = rep(TRUE, length(w))) {
  sums <- as.numeric(tapply((w * slopes(f, w))[counts], factor(g[counts]), sum)); m <- length(sums)
  onLogit(f(w), sqrt(m / (m - 1) * sum(sums^2)), kish(g[counts]) - 1)
}
macro <- function(name, y, p, w) mean(sapply(0:2, function(k) measures[[name]](y, p, w, k)))

n <- 160; y <- sample(0:2, n, TRUE, c(.5, .3, .2)); p <- ifelse(runif(n) < .6, y, sample(0:2, n, TRUE)); ones <- rep(1, n); rows <- seq_len(n)
perClass <- lapply(0:2, function(k) {
  t <- c(sum(y == k & p == k), sum(y != k & p == k), sum(y == k & p != k), sum(y != k & p != k))
  e <- epi.tests(as.table(matrix(t, 2, byrow = TRUE)), method = "wilson", conf.level = .95)$detail
  pick <- function(name) { x <- e[e$statistic == name, ]; limits(x[["est"]], x[["lower"]], x[["upper"]]) }
  list(wilson = list(sensitivity = pick("se"), specificity = pick("sp"), ppv = pick("pv.pos"), npv = pick("pv.neg")),
    exact = list(sensitivity = exact(t[1], t[1] + t[3]), specificity = exact(t[4], t[4] + t[2]), ppv = exact(t[1], t[1] + t[2]), npv = exact(t[4], t[4] + t[3])),
    f1 = delta(function(w) measures$f1(y, p, w, k), ones, rows, y == k | p == k))
})
right <- prop.test(sum(y == p), n, correct = FALSE)$conf.int
# Macro sensitivity: the classes are strata, each with the binomial variance of its own, df by Satterthwaite.
parts <- sapply(0:2, function(k) { x <- (p == k)[y == k]; c(v = var(x) / length(x) / 9, df = length(x) - 1) })
means <- lapply(setNames(nm = c("specificity", "ppv", "npv", "f1")), function(name) delta(function(w) macro(name, y, p, w), ones, rows))
means$sensitivity <- onLogit(macro("sensitivity", y, p, ones), sqrt(sum(parts["v", ])), sum(parts["v", ])^2 / sum(parts["v", ]^2 / parts["df", ]))
independent <- list(yTrue = y, yPred = p, perClass = perClass, macro = means, accuracy = limits(mean(y == p), right[1], right[2]))

g <- rep(1:30, each = 7); n <- length(g); u <- runif(30, .35, .9)[g]; y <- sample(0:2, n, TRUE); for (i in 1:30) y[which(g == i)[1:3]] <- 0:2
p <- ifelse(runif(n) < u, y, sample(0:2, n, TRUE)); w <- sample(c(.5, 1, 2), n, TRUE)
share <- function(hit, part) {
  d <- data.frame(hit = as.numeric(hit)[part], g = g[part], w = w[part]); fit <- lm(hit ~ 1, d, weights = w)
  onLogit(as.numeric(coef(fit)), sqrt(as.numeric(vcovCR(fit, cluster = d$g, type = "CR1"))), kish(d$g) - 1)
}
clustered <- list(yTrue = y, yPred = p, weight = w, groups = g, accuracy = share(y == p, TRUE),
  perClass = lapply(0:2, function(k) list(sensitivity = share(p == k, y == k), specificity = share(p != k, y != k), ppv = share(y == k, p == k),
    npv = share(y != k, p != k), f1 = delta(function(w) measures$f1(y, p, w, k), w, g, y == k | p == k))),
  macro = lapply(setNames(nm = names(measures)), function(name) delta(function(w) macro(name, y, p, w), w, g)))
versions <- lapply(c(epiR = "epiR", clubSandwich = "clubSandwich"), function(p) as.character(packageVersion(p)))
versions$R <- paste(R.version$major, R.version$minor, sep = ".")
write(jsonlite::toJSON(list(versions = versions, independent = independent, clustered = clustered), auto_unbox = TRUE, digits = NA), file.path(here, "classIntervals.json"))
