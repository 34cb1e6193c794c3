# Writes calibrationCurves.json beside this file: calibration and net benefit from R's glm, loess and riskRegression, with
# sandwich variances by clubSandwich and by hand; the reference of test/metrics/calibrationCurve.test.ts and its
# neighbours. Run: Rscript test/reference/calibrationCurves.R (R packages riskRegression, clubSandwich, jsonlite)
suppressPackageStartupMessages({library(riskRegression); library(clubSandwich)})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
RNGversion("4.0.0")
set.seed(20266)
LEVEL <- .95
POINTS <- 7

# Weight k stands for the row k times, so the reference repeats rows; `id` is the independent unit.
cohort <- function(patients, rows, digits, sharp, shift, counts) {
  k <- sample(rows, patients, replace = TRUE)
  id <- rep(seq_len(patients), k)
  eta <- rnorm(patients, -.4, 1)[id] + rnorm(sum(k), 0, .7)
  d <- data.frame(id = id, y = rbinom(sum(k), 1, plogis(eta)), p = round(plogis(shift + sharp * eta), digits))
  d$w <- if (counts) sample(1:3, nrow(d), replace = TRUE) else 1
  d
}

# Sum per unit, then n / (n - 1) times the sum of squares; degrees of freedom from Kish's n of the rows per unit.
clustered <- function(influence, id, copyOf) {
  sums <- tapply(influence, id, sum)
  rows <- tapply(copyOf, id, function(each) length(unique(each)))
  list(variance = length(sums) / (length(sums) - 1) * sum(sums^2), df = sum(rows)^2 / sum(rows^2) - 1)
}
# The same within strata of patients by their outcomes (never, always, both), Satterthwaite's degrees of freedom; a lone
# patient joins the largest stratum.
stratified <- function(influence, d, copyOf) {
  kind <- tapply(d$y, d$id, function(y) paste(sort(unique(y)), collapse = ""))
  kind[kind %in% names(which(table(kind) == 1))] <- names(which.max(table(kind)))
  of <- kind[as.character(d$id)]
  parts <- lapply(unique(of), function(each) clustered(influence[of == each], d$id[of == each], copyOf[of == each]))
  v <- sapply(parts, `[[`, "variance")
  list(variance = sum(v), df = sum(v)^2 / sum(v^2 / sapply(parts, `[[`, "df")))
}
interval <- function(estimate, v, scale = identity, slope = function(x) 1, back = identity) {
  half <- qt((1 + LEVEL) / 2, v$df) * sqrt(v$variance) * slope(estimate)
  c(estimate, sort(back(scale(estimate) + c(-1, 1) * half)))
}

smooth <- function(y, p, at) {
  fit <- loess(y ~ p, data.frame(y, p), span = .75, degree = 2, control = loess.control(surface = "direct"))
  unname(predict(fit, data.frame(p = at)))
}

one <- function(d) {
  e <- d[rep(seq_len(nrow(d)), d$w), ]
  copy <- rep(seq_len(nrow(d)), d$w)
  n <- nrow(e)
  l <- qlogis(pmin(pmax(e$p, 1e-8), 1 - 1e-8))
  large <- glm(y ~ 1 + offset(l), binomial, e, control = glm.control(epsilon = 1e-15, maxit = 100))
  joint <- glm(y ~ l, binomial, e, control = glm.control(epsilon = 1e-15, maxit = 100))
  stopifnot(abs(vcovCR(large, e$id, "CR1")[1] - clustered(vcov(large)[1] * (e$y - fitted(large)), e$id, copy)$variance) < 1e-12)

  fit <- smooth(e$y, e$p, e$p)
  at <- seq(min(e$p), max(e$p), length.out = POINTS)
  L <- sapply(seq_len(n), function(i) smooth(as.numeric(seq_len(n) == i), e$p, at))
  band <- t(sapply(seq_len(POINTS), function(g) interval(sum(L[g, ] * e$y), clustered(L[g, ] * (e$y - fit), e$id, copy))))
  distance <- abs(fit - e$p)

  brier <- mean((e$y - e$p)^2)
  score <- suppressWarnings(Score(list(model = e$p), y ~ 1, data.frame(y = e$y), metrics = "brier", summary = "ipa", se.fit = FALSE))$Brier$score
  stopifnot(abs(score$Brier[2] - brier) < 1e-12)
  b0 <- mean(e$y) * (1 - mean(e$y))
  brierInfluence <- ((e$y - e$p)^2 - brier) / n
  ofScaled <- -(brierInfluence * b0 - brier * (1 - 2 * mean(e$y)) * (e$y - mean(e$y)) / n) / b0^2

  bin <- findInterval(e$p, (1:9) * (1 / 10), left.open = TRUE) + 1
  mean_of <- function(x) sapply(1:10, function(b) mean(x[bin == b]))
  benefit <- lapply(c(.05, .2, .5, .8), function(t) {
    harm <- t / (1 - t)
    all <- ifelse(e$y == 1, 1, -harm)
    model <- all * (e$p >= t)
    value <- function(g) interval(mean(g), clustered((g - mean(g)) / n, e$id, copy))
    list(threshold = t, model = value(model), treatAll = value(all), gain = value(model - all))
  })
  list(
    yTrue = d$y, yProba = d$p, sampleWeight = d$w, groups = d$id,
    intercept = c(coef(large), sqrt(vcov(large))), slope = c(coef(joint)[2], sqrt(vcov(joint)[2, 2])),
    interceptClustered = interval(coef(large), clustered(vcov(large)[1] * (e$y - fitted(large)), e$id, copy)),
    slopeClustered = interval(coef(joint)[2], stratified(
      (cbind(1, l) * (e$y - fitted(joint))) %*% vcov(joint)[, 2], e, copy)),
    at = at, band = band, ici = mean(distance), e50 = median(distance), e90 = unname(quantile(distance, .9)),
    brier = interval(brier, clustered(brierInfluence, e$id, copy), qlogis, function(x) 1 / (x * (1 - x)), plogis),
    scaledBrier = interval(score$IPA[2], clustered(ofScaled, e$id, copy), function(x) -log(1 - x), function(x) 1 / (1 - x), function(u) 1 - exp(-u)),
    ece = sum(tabulate(bin, 10) / n * abs(ifelse(tabulate(bin, 10) > 0, mean_of(e$p) - mean_of(e$y), 0))),
    predicted = mean_of(e$p), observed = mean_of(e$y), quantiles = unname(quantile(e$p, 0:5 / 5)),
    benefit = benefit
  )
}

cases <- list(
  cohort(60, 1, 3, 1, 0, FALSE), cohort(101, 1, 3, 1.8, .4, FALSE), cohort(203, 1, 2, .6, -.3, FALSE),
  cohort(40, 1:5, 2, 1.4, .3, FALSE), cohort(50, 1, 2, 1, .5, TRUE), cohort(30, 1:4, 3, 1.3, 0, TRUE)
)
reference <- list(
  source = "stats::glm, stats::loess(surface = 'direct'), riskRegression::Score, clubSandwich::vcovCR (CR1); the rest by hand",
  versions = list(R = as.character(getRversion()), riskRegression = as.character(packageVersion("riskRegression")), clubSandwich = as.character(packageVersion("clubSandwich"))),
  cases = lapply(cases, one)
)
writeLines(jsonlite::toJSON(reference, digits = 17, auto_unbox = TRUE, na = "null"), file.path(here, "calibrationCurves.json"))
